package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.guarantees.RelayWorld.Stored;
import dev.eventing.sdk.test.timing.Elapsed;
import dev.eventing.sdk.test.timing.Stopwatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G7 on two nodes: one publishes, the other takes over when it dies or freezes, and a
 * frozen one that wakes does no harm.
 */
@Tag("crash")
class G7TwoRelaysIT {

	private static final Duration LONGEST_TAKEOVER = Duration.ofSeconds(10);

	private static final int ROUNDS = 4;

	private final ScheduledExecutorService appending = Executors.newSingleThreadScheduledExecutor();

	@AutoClose
	private final RelayWorld world = RelayWorld.create();

	private RelayProcess one;

	private RelayProcess other;

	private volatile boolean stopped;

	@BeforeEach
	void start() {
		this.one = RelayProcess.start(this.world);
		this.other = RelayProcess.start(this.world);
	}

	@AfterEach
	void stop() {
		this.appending.shutdownNow();
		this.one.close();
		this.other.close();
	}

	@Test
	void neverBothPublishHoweverTheActiveOneEnds() throws Exception {
		var load = this.appending.submit(() -> {
			while (!this.stopped) {
				this.world.appendRound(50);
			}
		});
		for (int round = 0; round < ROUNDS; round++) {
			this.one.awaitReady();
			this.other.awaitReady();
			awaitPublished("start");
			freezeTheActiveOne();
			awaitPublished("thaw");
			killTheActiveOne();
		}
		this.stopped = true;
		load.get(60, TimeUnit.SECONDS);
		this.world.awaitDrained();
		long twice = this.world.assertThatTheStreamHoldsEverythingInOrder();
		List<Long> epochs = this.world.firsts().stream().map(Stored::epoch).toList();
		System.out.printf("%d events of %d owners, %d in the stream twice%n", epochs.size(),
				epochs.stream().distinct().count(), twice);
		assertThat(epochs).isSorted();
		assertThat(epochs.stream().distinct().count()).isGreaterThanOrEqualTo(2 * ROUNDS);
	}

	private void freezeTheActiveOne() {
		RelayProcess active = active();
		active.freeze();
		took("frozen", Stopwatch.time(() -> {
			await().until(() -> !active.isNode(owner()));
			awaitPublished("freeze");
		}));
		active.thaw();
	}

	private void killTheActiveOne() {
		RelayProcess active = active();
		active.close();
		took("killed", Stopwatch.time(() -> awaitPublished("kill")));
		if (active == this.one) {
			this.one = RelayProcess.start(this.world);
		}
		else {
			this.other = RelayProcess.start(this.world);
		}
	}

	private static void took(String what, Elapsed took) {
		System.out.println("takeover from a " + what + " relay: " + took);
		took.assertWithin(LONGEST_TAKEOVER);
	}

	/** An event appended after this call begins is published. */
	private void awaitPublished(String what) {
		long head = this.world.world().count("select coalesce(max(global_position), 0) from eventing.events");
		await(what).pollInterval(Duration.ofMillis(20))
			.until(() -> this.world.world()
				.count("select coalesce(max(position), 0) from eventing.relay_positions") > head);
	}

	private RelayProcess active() {
		return this.one.isNode(owner()) ? this.one : this.other;
	}

	private String owner() {
		return Objects.requireNonNull(this.world.world()
			.jdbc()
			.queryForObject("select owner from eventing.leases where lease_name = 'relay/accounts'", String.class));
	}

}
