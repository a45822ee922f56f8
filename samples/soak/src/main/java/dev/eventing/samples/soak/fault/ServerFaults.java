package dev.eventing.samples.soak.fault;

import java.util.Map;
import java.util.function.Function;

import dev.eventing.samples.soak.Node;
import dev.eventing.samples.soak.Servers;
import dev.eventing.sdk.test.server.FaultProxy;

/** What happens to the servers, and on the way to them. */
final class ServerFaults {

	private final Servers servers;

	ServerFaults(Servers servers) {
		this.servers = servers;
	}

	void addTo(Map<FaultKind, Fault> faults) {
		faults.put(FaultKind.POSTGRES_RESTARTED, of(this.servers.postgres()::stop, this.servers.postgres()::restart));
		faults.put(FaultKind.POSTGRES_KILLED, of(this.servers.postgres()::kill, this.servers.postgres()::restart));
		faults.put(FaultKind.NATS_KILLED, of(this.servers.nats()::kill, this.servers.nats()::restart));
		faults.put(FaultKind.NATS_FROZEN, of(this.servers.nats()::pause, this.servers.nats()::resume));
		faults.put(FaultKind.POSTGRES_SILENT, silent(Node::postgres));
		faults.put(FaultKind.POSTGRES_CUT, cut(Node::postgres));
		faults.put(FaultKind.NATS_SILENT, silent(Node::nats));
		faults.put(FaultKind.NATS_CUT, cut(Node::nats));
	}

	private static Fault of(Runnable begin, Runnable end) {
		return new Fault() {

			@Override
			public void begin(Step step) {
				begin.run();
			}

			@Override
			public void end(Step step) {
				end.run();
			}
		};
	}

	/** Connections from before stay silent for good: nobody ever resets them. */
	private Fault silent(Function<Node, FaultProxy> proxies) {
		return new OnProxy(proxies) {

			@Override
			public void begin(Step step) {
				proxy(step).swallow();
			}
		};
	}

	private Fault cut(Function<Node, FaultProxy> proxies) {
		return new OnProxy(proxies) {

			@Override
			public void begin(Step step) {
				proxy(step).cut();
			}
		};
	}

	/** A fault of one node's proxy. */
	private abstract class OnProxy implements Fault {

		private final Function<Node, FaultProxy> proxies;

		OnProxy(Function<Node, FaultProxy> proxies) {
			this.proxies = proxies;
		}

		FaultProxy proxy(Step step) {
			return this.proxies.apply(ServerFaults.this.servers.nodes().get(step.node()));
		}

		@Override
		public void end(Step step) {
			proxy(step).restore();
		}

	}

}
