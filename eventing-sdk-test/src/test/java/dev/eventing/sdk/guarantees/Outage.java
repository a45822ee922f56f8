package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.Locale;

import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.ProjectorStatus;

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
		await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> {
			ProjectorStatus status = World.status(this.application, Accounts.PROJECTOR);
			assertThat(status.state()).isEqualTo(state);
			assertThat(status.detail()).contains(detail);
		});
		await().during(Duration.ofSeconds(2))
			.atMost(Duration.ofSeconds(4))
			.until(() -> World.status(this.application, Accounts.PROJECTOR).state() == state);
	}

	/**
	 * Measures from now, when what was away is back, until an event published now is
	 * applied.
	 */
	void endsByItself(String what) {
		long begin = System.nanoTime();
		long version = ++this.probes;
		this.world.publish(World.ACME, PROBE, version, version);
		await().atMost(Duration.ofSeconds(30))
			.pollInterval(Duration.ofMillis(10))
			.ignoreExceptions()
			.until(() -> this.world.version(World.ACME, PROBE) == version);
		Duration recovery = Duration.ofNanos(System.nanoTime() - begin);
		System.out.printf(Locale.ROOT, "recovery after %s: %.2f s%n", what, recovery.toMillis() / 1000.0);
		assertThat(recovery).isLessThan(LONGEST_RECOVERY);
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
