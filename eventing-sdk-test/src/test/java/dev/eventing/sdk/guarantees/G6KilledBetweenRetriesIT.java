package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.UUID;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G6: events of one key are applied in stream order, also across retries and a death
 * between two of them. And G4 with it: the attempts counted so far survive.
 */
@Tag("crash")
class G6KilledBetweenRetriesIT {

	/** The test looks between two attempts for certain: it has five seconds for that. */
	private static final int RETRY_DELAY = 10_000;

	private static final int KILLS = 3;

	@RegisterExtension
	final ProjectorProcess projector = ProjectorProcess.of(Accounts.class);

	@AutoClose
	private final World world = World.create();

	@BeforeEach
	void createTable() {
		this.world.jdbc().execute("create table refused (account text, version bigint)");
		this.world.jdbc().update("insert into refused values ('a', 2)");
	}

	@Test
	void appliesTheEventsBehindAFailedOneOnlyAfterItWhoeverDiesInBetween() {
		this.world.publish(World.ACME, "a", 1, 5);
		this.world.publish(World.ACME, "b", 1, 3);
		this.projector.start(this.world);
		this.projector.awaitReady();
		await().until(() -> attempts() >= 1 && isRetryAhead());
		for (int kill = 1; kill <= KILLS; kill++) {
			this.projector.kill();
			int before = attempts();
			this.world.publish(World.ACME, "a", 5 + kill, 5 + kill);
			this.world.publish(World.ACME, "b", 3 + kill, 3 + kill);
			this.projector.start(this.world);
			this.projector.awaitReady();
			int last = 3 + kill;
			await().until(() -> this.world.version(World.ACME, "b") == last);
			await().pollInterval(Duration.ofMillis(20)).until(() -> attempts() != before && isRetryAhead());
			assertThat(attempts()).as("attempts after the first of a new process").isEqualTo(before + 1);
			assertThat(this.world.version(World.ACME, "a")).isEqualTo(1);
			assertThatNothingWasAppliedOutOfOrder();
		}
		this.world.jdbc().update("delete from refused");
		await().untilAsserted(() -> assertThat(this.world.version(World.ACME, "a")).isEqualTo(5 + KILLS));
		assertThatNothingWasAppliedOutOfOrder();
		assertThat(this.world.deadLetters("Accounts-on")).isEmpty();
		assertThat(this.world.count("select count(*) from eventing.projector_attempts")).isZero();
	}

	private void assertThatNothingWasAppliedOutOfOrder() {
		assertThat(this.world.jdbc().queryForList("select * from violations")).isEmpty();
	}

	private int attempts() {
		return (int) this.world.count("select coalesce(sum(attempts), 0) from eventing.projector_attempts");
	}

	/**
	 * The failed attempt is over, and the next is not begun for five seconds at least.
	 */
	private boolean isRetryAhead() {
		return this.world.count("""
				select count(*) from eventing.projector_attempts
				 where next_attempt_at > now() + interval '5 seconds'""") == 1;
	}

	static class Accounts {

		@Autowired
		private JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", maxDeliver = 1000, concurrency = 2,
				retryDelay = RETRY_DELAY, retryMultiplier = 1)
		public void on(Deposited event, UUID eventId, String tenantId) {
			if (!this.jdbc
				.queryForList("select 1 from refused where account = ? and version = ?", event.account(),
						event.version())
				.isEmpty()) {
				throw new IllegalStateException("refused");
			}
			World.apply(this.jdbc, event, tenantId);
		}

	}

}
