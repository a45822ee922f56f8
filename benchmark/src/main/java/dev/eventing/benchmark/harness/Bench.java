package dev.eventing.benchmark.harness;

import java.io.IOException;

import dev.eventing.benchmark.measure.Meter;
import io.nats.client.Connection;
import io.nats.client.Nats;

/**
 * What all comparisons use.
 *
 * @param natsUrl where NATS is
 * @param nats a connection of the harness's own
 * @param databases makes databases
 * @param changes has streams of events
 * @param meter measures
 */
record Bench(String natsUrl, Connection nats, Databases databases, ChangeStreams changes,
		Meter meter) implements AutoCloseable {

	static Bench on(Servers servers, Scale scale) throws IOException, InterruptedException {
		Connection connection = Nats.connect(servers.nats().url());
		return new Bench(servers.nats().url(), connection, new Databases(servers.postgres()),
				new ChangeStreams(connection), new Meter(scale.patience()));
	}

	@Override
	public void close() {
		try {
			this.nats.close();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
