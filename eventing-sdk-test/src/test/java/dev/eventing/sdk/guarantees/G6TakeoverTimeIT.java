package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.UUID;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.test.timing.Elapsed;
import dev.eventing.sdk.test.timing.Stopwatch;
import dev.eventing.sdk.test.timing.TimedTest;
import org.junit.jupiter.api.Tag;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G6: however much a node had been handed when it died, the next one commits again within
 * seconds, and in order.
 */
@Tag("crash")
class G6TakeoverTimeIT extends TakeoverSetup {

	private static final int ACCOUNTS = 100;

	private static final int VERSIONS = 40;

	/** A lease and two seconds, from the kill to the first commit of the next owner. */
	private static final Duration FIRST_COMMIT = ProjectorProcess.Main.LEASE.plusSeconds(2);

	/** From then on to the last one. */
	private static final Duration OTHER_COMMITS = Duration.ofSeconds(4);

	/** As many as are under way at once by default. */
	private static final int EVENTS = ACCOUNTS * VERSIONS;

	G6TakeoverTimeIT() {
		super(Accounts.class);
	}

	/** Measured from the kill; a machine that stands still meanwhile is accounted for. */
	@TimedTest
	void appliesAllThatADeadNodeWasHandedWithinSecondsOfItsDeath() {
		Stopwatch sinceTheKill = killTheOwner(ACCOUNTS, VERSIONS, EVENTS);
		await().pollInterval(Duration.ofMillis(10)).until(() -> applied() > 0);
		Elapsed first = sinceTheKill.stop();
		Elapsed rest = Stopwatch.time(() -> await().atMost(Duration.ofMinutes(2))
			.pollInterval(Duration.ofMillis(10))
			.until(() -> applied() == EVENTS));
		System.out.printf(
				"%d events handed to a node that died: the first commit %s after the kill, the last %s later%n", EVENTS,
				first, rest);
		assertThat(this.world.jdbc().queryForList("select * from violations")).isEmpty();
		assertThat(this.world.deadLetters("Accounts-on")).isEmpty();
		await().until(() -> unsettled() == 0);
		assertThat(this.world.count("select count(*) from eventing.projector_attempts")).isZero();
		first.assertWithin(FIRST_COMMIT);
		rest.assertWithin(OTHER_COMMITS);
	}

	private long applied() {
		return this.world.count("select coalesce(sum(version), 0) from account");
	}

	static class Accounts {

		@Autowired
		private JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited")
		public void on(Deposited event, UUID eventId, String tenantId) {
			this.jdbc.queryForList("select closed from gate");
			World.apply(this.jdbc, event, tenantId);
		}

	}

}
