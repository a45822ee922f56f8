package dev.eventing.soak.fault;

import java.util.Map;

import dev.eventing.soak.Node;
import dev.eventing.soak.Servers;
import dev.eventing.soak.node.NodeApplication;

/** What happens to a node as a whole, or inside of it. */
final class NodeFaults {

	/** Longer than a stop may take: the time to drain, and some for a slow machine. */
	static final long STOP_SECONDS = 40;

	private final Servers servers;

	NodeFaults(Servers servers) {
		this.servers = servers;
	}

	void addTo(Map<FaultKind, Fault> faults) {
		faults.put(FaultKind.NODE_KILLED, of(Node::kill, Node::start));
		faults.put(FaultKind.NODE_FROZEN, of((node) -> node.freeze(true), (node) -> node.freeze(false)));
		faults.put(FaultKind.NODE_STOPPED, of(this::stop, Node::start));
		faults.put(FaultKind.POOL_EXHAUSTED, (step) -> node(step).send(NodeApplication.EXHAUST + " " + step.millis()));
		for (FaultKind kind : new FaultKind[] { FaultKind.HANDLER_ERROR, FaultKind.HANDLER_OUT_OF_MEMORY,
				FaultKind.HANDLER_INTERRUPT_AND_THROW, FaultKind.HANDLER_INTERRUPT_AND_RETURN, FaultKind.HANDLER_HANG,
				FaultKind.OUT_OF_MEMORY, FaultKind.ODD_EXCEPTION }) {
			// Any node may own the projectors with work, so all are asked for it.
			faults.put(kind, (step) -> this.servers.nodes()
				.forEach((node) -> node.send(NodeApplication.MISCHIEF + " " + kind + " " + step.millis())));
		}
	}

	private void stop(Node node) {
		if (!node.stop(STOP_SECONDS)) {
			this.servers.complain("node " + node.number() + " did not stop within " + STOP_SECONDS + " s");
		}
	}

	private Fault of(Change begin, Change end) {
		return new Fault() {

			@Override
			public void begin(Step step) {
				begin.to(node(step));
			}

			@Override
			public void end(Step step) {
				end.to(node(step));
			}
		};
	}

	private Node node(Step step) {
		return this.servers.nodes().get(step.node());
	}

	/** Something done to a node. */
	private interface Change {

		void to(Node node);

	}

}
