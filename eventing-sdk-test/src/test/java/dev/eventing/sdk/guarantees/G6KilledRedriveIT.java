package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetterStatus;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.test.timing.Patience;
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
 * G5 and G6 with dead letters: a process that is killed while it parks and redrives loses
 * nothing, applies nothing twice, and leaves a ledger that says what is.
 */
@Tag("crash")
class G6KilledRedriveIT {

	private static final int KILLS = 20;

	private static final int ACCOUNTS = 10;

	private static final DeadLetterFilter ALL = DeadLetterFilter.ALL.withProjector("Unreliable-on");

	@RegisterExtension
	final ProjectorProcess projector = ProjectorProcess.of(Unreliable.class);

	private final long seed = Long.getLong("crash.seed", System.nanoTime());

	private final Random random = new Random(this.seed);

	@AutoClose
	private final World world = World.create();

	@BeforeEach
	void createTable() {
		this.world.jdbc().execute("create table mode (word text not null)");
		this.world.jdbc().execute("insert into mode values ('refuse')");
	}

	@Test
	void keepsEveryEventAndItsOrderHoweverOftenTheProcessIsKilled() {
		System.out.println("crash.seed=" + this.seed);
		this.world.deadLetterStream().create();
		this.world.forwarder().stop(); // the processes that are killed have to
		ScheduledExecutorService operator = Executors.newSingleThreadScheduledExecutor();
		try (Load load = Load.of(this.world, ACCOUNTS, Duration.ofMillis(50))) {
			var redriving = operator.scheduleWithFixedDelay(this::redrive, 0, 30, TimeUnit.MILLISECONDS);
			for (int kill = 0; kill < KILLS; kill++) {
				this.projector.start(this.world);
				this.projector.awaitReady();
				assertThat(this.projector.awaitEnd(Duration.ofMillis(200 + this.random.nextLong(1300)))).isFalse();
				this.projector.kill();
				Letters.assertConsistent(this.world);
				assertThat(this.world.count("select count(*) from violations")).isZero();
			}
			System.out.printf("%d kills, %d letters of %d events, %d redrives; killed with %d to be redriven%n", KILLS,
					this.world.count("select count(*) from eventing.dead_letters"), ACCOUNTS * load.rounds(),
					this.world.count("select count(*) from eventing.dead_letter_redrives"), letters("REDRIVING"));
			mode("accept");
			this.projector.start(this.world);
			this.projector.awaitReady();
			load.stopAndAwaitAll();
			redriving.cancel(false);
			await().until(() -> letters("PARKED") + letters("REDRIVING") == 0);
			assertThat(letters("DISCARDED")).isZero();
			assertThat(this.world.count("select count(*) from eventing.processed_events"))
				.isEqualTo(ACCOUNTS * load.rounds());
			Letters.assertConsistent(this.world);
			assertThatTheStreamHasEachLetterOnce();
		}
		finally {
			operator.shutdownNow();
		}
	}

	@Test
	void parksALetterWhoseRedriveKillsTheProcessAgainAndGoesOnWithTheOthers() {
		this.projector.start(this.world);
		this.projector.awaitReady();
		this.world.publish(World.ACME, "halting", 1, 3);
		this.world.publish(World.ACME, "refused", 1, 3);
		await().until(() -> letters("PARKED") == 6);
		mode("halt");
		redrive();
		// all together, in a group, alone
		for (int death = 0; death < 3; death++) {
			assertThat(this.projector.awaitEnd(Patience.PROCESS)).as("the handler halts the JVM").isTrue();
			this.projector.start(this.world);
		}
		await().atMost(Patience.PROCESS).until(() -> this.world.version(World.ACME, "refused") == 3);
		await().until(() -> letters("PARKED") == 3);
		DeadLetter first = this.world.deadLetters("Unreliable-on")
			.stream()
			.filter((letter) -> letter.reason().equals("PROCESS_DIED"))
			.findFirst()
			.orElseThrow();
		assertThat(first.orderingKey()).isEqualTo("halting");
		assertThat(first.status()).isEqualTo(DeadLetterStatus.PARKED);
		assertThat(first.failure().errorClass()).isEqualTo("ProcessDied");
		assertThat(this.projector.isAlive()).isTrue();
		mode("accept");
		redrive();
		await().until(() -> this.world.version(World.ACME, "halting") == 3);
		Letters.assertConsistent(this.world);
	}

	private void assertThatTheStreamHasEachLetterOnce() {
		await().until(
				() -> this.world.count("select count(*) from eventing.dead_letters where forwarded_at is null") == 0);
		assertThat(this.world.deadLetterStream().letters()).containsExactlyInAnyOrderElementsOf(
				this.world.jdbc().queryForList("select letter_id::text from eventing.dead_letters", String.class));
	}

	private void redrive() {
		this.world.operators().redrive(RedriveRequest.of(ALL, "ops"));
	}

	private void mode(String word) {
		this.world.jdbc().update("update mode set word = ?", word);
	}

	private long letters(String status) {
		return this.world.count("select count(*) from eventing.dead_letters where status = '" + status + "'");
	}

	/** Refuses, or halts at, what the mode of the moment says. */
	static class Unreliable {

		@Autowired
		private JdbcTemplate jdbc;

		private final Random random = new Random();

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", maxDeliver = 1, retryDelay = 20, batchSize = 20,
				concurrency = 2)
		public void on(Deposited event, UUID eventId, String tenantId) {
			World.apply(this.jdbc, event, tenantId);
			String mode = String.valueOf(this.jdbc.queryForObject("select word from mode", String.class));
			if (mode.equals("halt") && event.account().equals("halting")) {
				Runtime.getRuntime().halt(3);
			}
			boolean refused = event.account().startsWith("load-") ? this.random.nextInt(10) == 0 : event.version() == 1;
			if (mode.equals("refuse") && refused) {
				throw new Accounts.Refused();
			}
		}

	}

}
