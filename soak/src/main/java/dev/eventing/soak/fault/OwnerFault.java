package dev.eventing.soak.fault;

import java.util.HashMap;
import java.util.Map;

import dev.eventing.soak.Node;
import dev.eventing.soak.Servers;

/** SIGKILL for the node that owns the most projectors. */
final class OwnerFault implements Fault {

	/** An owner's name has the number of its process. */
	private static final String OWNED = """
			select count(*) from eventing.leases
			 where starts_with(lease_name, 'projector/') and expires_at > now() and position(? in owner) > 0""";

	private final Servers servers;

	private final Map<Step, Node> killed = new HashMap<>();

	OwnerFault(Servers servers) {
		this.servers = servers;
	}

	@Override
	public void begin(Step step) {
		long most = 0;
		Node owner = null;
		for (Node node : this.servers.nodes()) {
			long owned = owned(node);
			if (owned > most) {
				most = owned;
				owner = node;
			}
		}
		if (owner == null) {
			throw new IllegalStateException("No node owns a projector.");
		}
		this.killed.put(step, owner);
		owner.kill();
	}

	private long owned(Node node) {
		Long owned = this.servers.admin().queryForObject(OWNED, Long.class, ":" + node.pid() + "/");
		return (owned != null) ? owned : 0;
	}

	@Override
	public void end(Step step) {
		Node owner = this.killed.remove(step);
		if (owner != null) {
			owner.start();
		}
	}

}
