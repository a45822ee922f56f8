package dev.eventing.sdk.guarantees;

import java.time.Duration;

import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.test.timing.Elapsed;
import dev.eventing.sdk.test.timing.Steady;
import dev.eventing.sdk.test.timing.Stopwatch;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What every outage has in common: it shows, it ends by itself, it costs no event. */
final class Outage {

	/** Mostly one or two seconds; under a load of 12 it was seen to take 7. */
	private static final Duration LONGEST_RECOVERY = Duration.ofSeconds(15);

	private static final String PROBE = "probe";

	private final World world;

	private final AnnotationConfigApplicationContext application;

	private long probes;

	Outage(World world, AnnotationConfigApplicationContext application) {
		this.world = world;
		this.application = application;
	}

	/** The projector says that it waits, and why, for as long as nothing changes. */
	void shows(ProjectorState state, String detail) {
		await().untilAsserted(() -> {
			ProjectorStatus status = World.status(this.application, Accounts.PROJECTOR);
			assertThat(status.state()).isEqualTo(state);
			assertThat(status.detail()).contains(detail);
		});
		Steady.holds(Duration.ofSeconds(2), () -> World.status(this.application, Accounts.PROJECTOR).state() == state);
	}

	/**
	 * Measures from now, when what was away is back, until an event published now is
	 * applied.
	 */
	void endsByItself(String what) {
		long version = ++this.probes;
		Elapsed recovery = Stopwatch.time(() -> {
			this.world.publish(World.ACME, PROBE, version, version);
			await().pollInterval(Duration.ofMillis(10))
				.ignoreExceptions()
				.until(() -> this.world.version(World.ACME, PROBE) == version);
		});
		System.out.println("recovery after " + what + ": " + recovery);
		recovery.assertWithin(LONGEST_RECOVERY);
		await().untilAsserted(() -> assertThat(World.status(this.application, Accounts.PROJECTOR).state())
			.isEqualTo(ProjectorState.RUNNING));
	}

	/** No event was applied out of order, given up, or counted as tried. */
	void leavesNoTrace() {
		assertThat(World.status(this.application, Accounts.PROJECTOR).counts().failedAttempts()).isZero();
		assertThat(this.world.count("select count(*) from violations")).isZero();
		assertThat(this.world.count("select count(*) from eventing.dead_letters")).isZero();
		assertThat(this.world.count("select count(*) from eventing.projector_attempts")).isZero();
	}

}
