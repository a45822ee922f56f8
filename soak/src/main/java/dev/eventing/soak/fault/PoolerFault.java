package dev.eventing.soak.fault;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

import dev.eventing.soak.Node;
import dev.eventing.soak.Pooler;
import dev.eventing.soak.Servers;

/**
 * Restarts a node behind a PgBouncer in transaction mode, and in the end without it. The
 * pooler stands before the node's proxy, so that a silent or cut connection is one of the
 * pooler.
 */
final class PoolerFault implements Fault {

	/** As long as for any other stop in order. */
	private static final long STOP_SECONDS = NodeFaults.STOP_SECONDS;

	private final Servers servers;

	private final Map<Step, Pooler> poolers = new HashMap<>();

	PoolerFault(Servers servers) {
		this.servers = servers;
	}

	@Override
	public void begin(Step step) throws IOException {
		Path program = this.servers.equipment()
			.pooler()
			.orElseThrow(() -> new IllegalStateException("There is no pooler."));
		Node node = this.servers.nodes().get(step.node());
		Pooler pooler = Pooler.start(program, node.postgres().port(), this.servers.logs().resolve("pgbouncer.log"));
		this.poolers.put(step, pooler);
		startAnew(node, () -> node.behind(pooler));
	}

	@Override
	public void end(Step step) {
		Pooler pooler = this.poolers.remove(step);
		if (pooler != null) {
			Node node = this.servers.nodes().get(step.node());
			startAnew(node, () -> node.behind(null));
			pooler.close();
		}
	}

	private void startAnew(Node node, Runnable change) {
		if (!node.stop(STOP_SECONDS)) {
			this.servers.complain("node " + node.number() + " did not stop within " + STOP_SECONDS
					+ " s, at the begin or end of a pooler");
		}
		change.run();
		node.start();
	}

}
