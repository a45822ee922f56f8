package dev.eventing.sdk.guarantees;

import java.time.Duration;

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
 * G6: the owner of five projectors dies with 4,000 deliveries in flight. All five commit
 * again, and apply an event that was published after the death, within seconds.
 */
@Tag("crash")
class G6RecoveryTimeIT extends TakeoverSetup {

	private static final int PROJECTORS = 5;

	private static final int ACCOUNTS = 100;

	private static final int VERSIONS = 8;

	private static final int DELIVERIES = PROJECTORS * ACCOUNTS * VERSIONS;

	private static final String FRESH = "fresh";

	private static final Duration COMMITS = ProjectorProcess.Main.LEASE.plusSeconds(2);

	private static final Duration FRESH_EVENT = ProjectorProcess.Main.LEASE.plusSeconds(4);

	G6RecoveryTimeIT() {
		super(Five.class);
	}

	@TimedTest
	void appliesAFreshEventWithinSecondsOfTheDeathOfTheOwnerOfFiveProjectors() {
		Stopwatch untilCommits = killTheOwner(ACCOUNTS, VERSIONS, DELIVERIES);
		Stopwatch untilFresh = Stopwatch.start(() -> this.world.count("select 1"));
		this.world.publish(World.ACME, FRESH, 1, 1);
		awaitAll("select count(distinct tenant_id) from account");
		Elapsed commits = untilCommits.stop();
		awaitAll("select count(*) from account where account = '" + FRESH + "'");
		Elapsed fresh = untilFresh.stop();
		System.out.printf("the owner of %d projectors died with %d deliveries in flight: all commit after %s,"
				+ " and have applied a fresh event after %s%n", PROJECTORS, DELIVERIES, commits, fresh);
		await().until(() -> this.world.count("select sum(version) from account") == DELIVERIES + PROJECTORS);
		assertThat(this.world.jdbc().queryForList("select * from violations")).isEmpty();
		await().until(() -> unsettled() == 0);
		commits.assertWithin(COMMITS);
		fresh.assertWithin(FRESH_EVENT);
	}

	private void awaitAll(String count) {
		await().pollInterval(Duration.ofMillis(10)).until(() -> this.world.count(count) == PROJECTORS);
	}

	/**
	 * Five projectors with a read model each: that of their own tenant. One lane each, so
	 * that handlers that wait leave connections to the others.
	 */
	static class Five {

		private static final String SUBJECT = "${root}.{tenant}.deposited";

		@Autowired
		private JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = SUBJECT, projectorName = "first", concurrency = 1)
		public void first(Deposited event) {
			apply("first", event);
		}

		@ProjectorEventHandler(subject = SUBJECT, projectorName = "second", concurrency = 1)
		public void second(Deposited event) {
			apply("second", event);
		}

		@ProjectorEventHandler(subject = SUBJECT, projectorName = "third", concurrency = 1)
		public void third(Deposited event) {
			apply("third", event);
		}

		@ProjectorEventHandler(subject = SUBJECT, projectorName = "fourth", concurrency = 1)
		public void fourth(Deposited event) {
			apply("fourth", event);
		}

		@ProjectorEventHandler(subject = SUBJECT, projectorName = "fifth", concurrency = 1)
		public void fifth(Deposited event) {
			apply("fifth", event);
		}

		private void apply(String projector, Deposited event) {
			this.jdbc.queryForList("select closed from gate");
			World.apply(this.jdbc, event, projector);
		}

	}

}
