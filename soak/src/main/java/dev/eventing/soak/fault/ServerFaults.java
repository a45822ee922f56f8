package dev.eventing.soak.fault;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

import dev.eventing.sdk.test.server.FaultProxy;
import dev.eventing.sdk.test.server.NatsServer;
import dev.eventing.soak.Node;
import dev.eventing.soak.Servers;

import org.springframework.dao.DataAccessException;

/** What happens to the servers, and on the way to them. */
final class ServerFaults {

	private final Servers servers;

	ServerFaults(Servers servers) {
		this.servers = servers;
	}

	void addTo(Map<FaultKind, Fault> faults) {
		faults.put(FaultKind.POSTGRES_RESTARTED, of(this.servers.postgres()::stop, this.servers.postgres()::restart));
		faults.put(FaultKind.POSTGRES_KILLED, of(this.servers.postgres()::kill, this.servers.postgres()::restart));
		faults.put(FaultKind.NATS_KILLED, nats(NatsServer::kill, NatsServer::restart));
		faults.put(FaultKind.NATS_FROZEN, nats(NatsServer::pause, NatsServer::resume));
		faults.put(FaultKind.POSTGRES_DISK_FULL,
				new DiskFault(this.servers.equipment().postgresDisk(), this::startPostgresAgain));
		// It has switched JetStream off until it is started again.
		faults.put(FaultKind.NATS_DISK_FULL,
				new DiskFault(this.servers.equipment().natsDisk(), this.servers.nats().server(0)::restart));
		faults.put(FaultKind.POSTGRES_SILENT, silent((node) -> List.of(node.postgres())));
		faults.put(FaultKind.POSTGRES_CUT, cut((node) -> List.of(node.postgres())));
		faults.put(FaultKind.NATS_SILENT, silent(Node::nats));
		faults.put(FaultKind.NATS_CUT, cut(Node::nats));
	}

	/** It ends if its log finds no room, and does not start without any. */
	private void startPostgresAgain() {
		try {
			this.servers.admin().execute("select 1");
		}
		catch (DataAccessException ex) {
			this.servers.postgres().restart();
		}
	}

	/** Of one server, which is any where there are several. */
	private Fault nats(Consumer<NatsServer> begin, Consumer<NatsServer> end) {
		return new Fault() {

			@Override
			public void begin(Step step) {
				begin.accept(ServerFaults.this.servers.nats().server(step.node()));
			}

			@Override
			public void end(Step step) {
				end.accept(ServerFaults.this.servers.nats().server(step.node()));
			}
		};
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

	/** Connections from before stay silent for good: no reset ever arrives. */
	private Fault silent(Function<Node, List<FaultProxy>> proxies) {
		return new OnProxy(proxies) {

			@Override
			public void begin(Step step) {
				proxies(step).forEach(FaultProxy::swallow);
			}
		};
	}

	private Fault cut(Function<Node, List<FaultProxy>> proxies) {
		return new OnProxy(proxies) {

			@Override
			public void begin(Step step) {
				proxies(step).forEach(FaultProxy::cut);
			}
		};
	}

	/** A fault of one node's proxies to a server, or to several of one kind. */
	private abstract class OnProxy implements Fault {

		private final Function<Node, List<FaultProxy>> proxies;

		OnProxy(Function<Node, List<FaultProxy>> proxies) {
			this.proxies = proxies;
		}

		List<FaultProxy> proxies(Step step) {
			return this.proxies.apply(ServerFaults.this.servers.nodes().get(step.node()));
		}

		@Override
		public void end(Step step) {
			proxies(step).forEach(FaultProxy::restore);
		}

	}

}
