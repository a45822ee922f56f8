package dev.eventing.sdk.nats;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.liveview.LiveFrame;
import dev.eventing.sdk.liveview.LiveVersion;
import dev.eventing.sdk.liveview.LiveViewDefinition;
import dev.eventing.sdk.liveview.LiveViewStatus;
import dev.eventing.sdk.liveview.LiveViewSubscription;
import dev.eventing.sdk.liveview.client.Following;
import dev.eventing.sdk.liveview.client.StateReader;
import dev.eventing.sdk.liveview.frame.FrameForm;
import dev.eventing.sdk.liveview.frame.FrameForm.Beat;
import dev.eventing.sdk.liveview.frame.FrameSubjects;
import dev.eventing.sdk.liveview.ledger.LiveStates;
import dev.eventing.sdk.liveview.ledger.LiveStates.Address;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.MigratedDatabase;
import dev.eventing.sdk.test.server.TestServers;
import dev.eventing.sdk.test.timing.Steady;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G15: frames that the client of this node drops, since they come faster than they are
 * taken, while the owner of the view is heard all the time.
 */
@ExtendWith(OutputCaptureExtension.class)
class DroppedFramesIT {

	private static final String VIEW = "dropped-frames";

	private static final Address FOLLOWED = new Address(TenantId.of("acme"), "a");

	private static final String HOLDING = "dropped-frames.holding";

	/** How many messages may wait for a thread. */
	private static final int PENDING = 10;

	private static final Duration PATIENT = Duration.ofSeconds(60);

	private final String url = MigratedDatabase.create();

	private final JdbcTemplate jdbc = new JdbcTemplate(new DriverManagerDataSource(this.url));

	private final NatsClient client = new NatsClient(NatsOptions.of(TestServers.nats().url()));

	private final Broadcasts nats = new Broadcasts(this.client, PENDING);

	private final Following following = new Following(this.nats,
			new StateReader(new LiveStates(this.jdbc, EventingSchema.defaults()), EventJson.mapper()));

	@AfterEach
	void close() {
		this.following.close();
		this.client.close();
		TestServers.postgres().dropDatabase(this.url);
	}

	@Test
	void areMadeUpForByReadsAndLoggedOnce(CapturedOutput output) throws Exception {
		write(1);
		try (LiveViewSubscription subscription = this.following.follow(VIEW, FOLLOWED, (state) -> {
		})) {
			awaitBeating(() -> isLiveWith(subscription, 1));
			// a first beat and a new connection let it read, too
			Steady.holds(Duration.ofSeconds(1), () -> isBeating() && isLiveWith(subscription, 1));
			for (long version = 2; version <= 3; version++) {
				long next = version;
				dropChangeTo(next);
				awaitBeating(() -> isLiveWith(subscription, next));
			}
		}
		assertThat(output.toString().lines().filter((line) -> line.contains("come faster than this node takes them")))
			.hasSize(1);
	}

	/** The state is changed, and its frame comes while no more messages may wait. */
	private void dropChangeTo(long version) throws Exception {
		CountDownLatch held = new CountDownLatch(1);
		CountDownLatch released = new CountDownLatch(1);
		try (Broadcasts.Receiver holding = besideTheSubscription((message) -> {
			held.countDown();
			await().forever().until(() -> released.getCount() == 0);
		})) {
			assertThat(holding.ensure()).isTrue();
			long before = holding.dropped();
			publish(new Broadcast(HOLDING, Map.of(), Broadcast.Body.EMPTY));
			await().atMost(PATIENT).until(() -> held.getCount() == 0);
			write(version);
			for (int other = 0; other < 3 * PENDING; other++) {
				publish(frame("b", other + 1));
			}
			publish(frame(FOLLOWED.key(), version));
			this.client.connection().flush(PATIENT);
			assertThat(holding.dropped()).isGreaterThan(before);
		}
		finally {
			released.countDown();
		}
	}

	/** A receiver on the thread that receives the frames of the subscription. */
	private Broadcasts.Receiver besideTheSubscription(Consumer<Broadcast> consumer) {
		for (int other = 1; other < Broadcasts.THREADS; other++) {
			this.nats.receive(List.of(HOLDING), consumer);
		}
		return this.nats.receive(List.of(HOLDING), consumer);
	}

	private static Broadcast frame(String key, long version) {
		return FrameForm.write(FrameSubjects.of(FOLLOWED.tenant(), VIEW, key), new LiveFrame(LiveViewDefinition.DELTA,
				version - 1, new LiveVersion(1, version), false, "{\"n\":" + version + "}"));
	}

	private void publish(Broadcast message) {
		assertThat(this.nats.publish(message)).isTrue();
	}

	private void write(long version) {
		this.jdbc.update("""
				insert into eventing.projection_snapshots (projection_name, generation, tenant_id, key, state, version)
				values (?, 1, ?, ?, jsonb_build_object('n', ?::bigint), ?)
				on conflict (projection_name, generation, tenant_id, key) do update
				   set state = excluded.state, version = excluded.version""", VIEW, FOLLOWED.tenant().value(),
				FOLLOWED.key(), version, version);
	}

	private static boolean isLiveWith(LiveViewSubscription subscription, long version) {
		return subscription.status() == LiveViewStatus.LIVE
				&& subscription.state().filter((state) -> state.version().version() == version).isPresent();
	}

	private void awaitBeating(Callable<Boolean> condition) {
		await().atMost(PATIENT).until(() -> isBeating() && condition.call());
	}

	/** The owner of the view is heard. */
	private boolean isBeating() {
		this.nats.publish(new Beat(1, "owner").message(VIEW));
		return true;
	}

}
