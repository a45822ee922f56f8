package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.function.UnaryOperator;

import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.relay.PublishMode;
import dev.eventing.sdk.relay.RelayCounts;
import dev.eventing.sdk.test.server.NatsServer;
import dev.eventing.sdk.test.server.NatsServerBinary;
import dev.eventing.sdk.test.server.NatsServerLine;
import io.nats.client.Connection;
import io.nats.client.JetStreamApiException;
import io.nats.client.Nats;
import io.nats.client.api.StreamConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * G7 with atomic batches: the same order, and a batch the server refuses goes event by
 * event.
 */
class G7AtomicBatchIT {

	private static final int EVENTS = 3000;

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private final NatsServer nats = this.fixture.opened(NatsServer.start(NatsServerBinary.find(NatsServerLine.NEWEST)));

	private final RelayWorld world = this.fixture.opened(RelayWorld.on(this.nats));

	@Test
	void publishesBatchesInOrder() throws Exception {
		assumeThat(hasBatches()).as("the server knows atomic batches, as 2.12 does").isTrue();
		allowBatches();
		append();
		assertThat(drain().published()).isEqualTo(EVENTS);
		assertThat(this.world.assertThatTheStreamHoldsEverythingInOrder()).isZero();
		assertThat(batched()).isEqualTo(EVENTS);
	}

	@Test
	void goesEventByEventWhereTheStreamHasOneOfTheBatchAlready() throws Exception {
		assumeThat(hasBatches()).as("the server knows atomic batches, as 2.12 does").isTrue();
		allowBatches();
		change((stream) -> stream.duplicateWindow(Duration.ofMinutes(2)));
		append();
		drain();
		// Farther back than a relay looks for what is in the stream.
		this.world.world().jdbc().update("update eventing.relay_positions set position = 0");
		RelayCounts counts = drain();
		System.out.println("after going back: " + counts);
		assertThat(counts.duplicates()).isPositive();
		assertThat(this.world.assertThatTheStreamHoldsEverythingInOrder()).isZero();
	}

	@Test
	void goesEventByEventWhereTheStreamAllowsNoBatches() {
		append();
		assertThat(drain().published()).isEqualTo(EVENTS);
		assertThat(this.world.assertThatTheStreamHoldsEverythingInOrder()).isZero();
	}

	private void append() {
		for (int i = 0; i < EVENTS / 100; i++) {
			this.world.append(World.ACME, "account-" + i % 7, 100);
		}
	}

	private RelayCounts drain() {
		try (var relay = this.world.start(this.world.options().withWindow(500, 250).with(PublishMode.ATOMIC))) {
			this.world.awaitDrained();
			return RelayWorld.status(relay).counts();
		}
	}

	private boolean hasBatches() throws Exception {
		try (Connection connection = Nats.connect(this.nats.url())) {
			return connection.getServerInfo().isSameOrNewerThanVersion("2.12.0");
		}
	}

	private void allowBatches() {
		change(StreamConfiguration.Builder::allowAtomicPublish);
	}

	private void change(UnaryOperator<StreamConfiguration.Builder> change) {
		this.world
			.jetStream(
					(management) -> management.updateStream(change
						.apply(StreamConfiguration
							.builder(management.getStreamInfo(this.world.world().stream()).getConfiguration()))
						.build()));
	}

	private long batched() {
		return this.world.jetStream((management) -> {
			long batched = 0;
			for (long sequence = 1; sequence <= EVENTS; sequence++) {
				try {
					var headers = management.getMessage(this.world.world().stream(), sequence).getHeaders();
					batched += headers.containsKey("Nats-Batch-Id") ? 1 : 0;
				}
				catch (JetStreamApiException ex) {
					throw new IllegalStateException(ex);
				}
			}
			return batched;
		});
	}

}
