package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.test.timing.Elapsed;
import dev.eventing.sdk.test.timing.Stopwatch;
import dev.eventing.sdk.test.timing.TimedTest;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G6: however much a node had been handed when it died, the next one commits again within
 * seconds, and in order.
 */
@Tag("crash")
class G6TakeoverTimeIT {

	private static final int ACCOUNTS = 100;

	private static final int VERSIONS = 40;

	/** A lease and two seconds, from the kill to the first commit of the next owner. */
	private static final Duration FIRST_COMMIT = ProjectorProcess.Main.LEASE.plusSeconds(2);

	/** From then on to the last one. */
	private static final Duration OTHER_COMMITS = Duration.ofSeconds(4);

	/** As many as are under way at once by default. */
	private static final int EVENTS = ACCOUNTS * VERSIONS;

	@RegisterExtension
	final ProjectorProcess owner = ProjectorProcess.of(Accounts.class);

	@RegisterExtension
	final ProjectorProcess standby = ProjectorProcess.of(Accounts.class);

	@AutoClose
	private final World world = World.create();

	@BeforeEach
	void createTable() {
		this.world.jdbc().execute("create table gate (closed boolean)");
	}

	/** Measured from the kill; a machine that stands still meanwhile is accounted for. */
	@TimedTest
	void appliesAllThatADeadNodeWasHandedWithinSecondsOfItsDeath() {
		publishAll();
		Stopwatch sinceTheKill = whileNoHandlerEnds(() -> {
			this.owner.start(this.world);
			this.owner.awaitReady();
			await().until(() -> unsettled() == EVENTS);
			this.standby.start(this.world);
			this.standby.awaitReady();
			Stopwatch watch = Stopwatch.start(() -> this.world.count("select 1"));
			this.owner.kill();
			return watch;
		});
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

	private void publishAll() {
		for (int version = 1; version <= VERSIONS; version++) {
			CompletableFuture<?>[] published = new CompletableFuture<?>[ACCOUNTS];
			for (int account = 0; account < ACCOUNTS; account++) {
				published[account] = this.world.publisher()
					.publishAsync(this.world.subject(), this.world.deposit(World.ACME, "a" + account, version));
			}
			CompletableFuture.allOf(published).join();
		}
	}

	private <T> T whileNoHandlerEnds(Supplier<T> action) {
		return Objects
			.requireNonNull(new TransactionTemplate(new JdbcTransactionManager(this.world.jdbc().getDataSource()))
				.execute((status) -> {
					this.world.jdbc().execute("lock table gate in access exclusive mode");
					return action.get();
				}));
	}

	private long applied() {
		return this.world.count("select coalesce(sum(version), 0) from account");
	}

	/** None while there is no durable yet. */
	private long unsettled() {
		return this.world.jetStream((management) -> management.getConsumers(this.world.stream())
			.stream()
			.mapToLong((durable) -> durable.getNumAckPending())
			.sum());
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
