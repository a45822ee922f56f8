package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import dev.eventing.sdk.deadletter.DeadLetterStatus;
import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.test.timing.Elapsed;
import dev.eventing.sdk.test.timing.Stopwatch;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What redrives leave when a process dies, a lease is lost, a stop comes, or letters open
 * again.
 */
class RedriveFaultsIT extends RedriveSetup {

	@Test
	void countsNoRunWhileItWaitsForAnotherTransactionThatHasClaimedTheEvent() {
		Event<Deposited> event = this.world.deposit(World.ACME, "bad", 1);
		try (AnnotationConfigApplicationContext application = start(ONE_ATTEMPT)) {
			this.world.publish(event);
			await().until(() -> letters(DeadLetterStatus.PARKED) == 1);
			this.broken.set(false);
			new TransactionTemplate(new JdbcTransactionManager(this.world.jdbc().getDataSource()))
				.executeWithoutResult((status) -> {
					this.world.jdbc().update("""
							insert into eventing.processed_events (projector_name, event_id, tenant_id)
							values (?, ?, ?)""", Accounts.PROJECTOR, event.id(), World.ACME.value());
					redrive(application, ALL);
					await().until(() -> this.world.count("select count(*) from pg_locks where not granted") > 0);
					assertThat(this.world.count("select max(redrive_runs) from eventing.dead_letters")).isZero();
					status.setRollbackOnly();
				});
			await().until(() -> this.world.version(World.ACME, "bad") == 1);
			assertConsistent();
		}
	}

	/** One by one, thousands of letters took minutes after each kill. */
	@Test
	void runsLettersInGroupsAfterAProcessDiedAndThoseOfADeadGroupAlone() {
		ProjectorSettings largeBatches = ProjectorSettings.builder().maxDeliver(1).batchSize(100).build();
		try (AnnotationConfigApplicationContext application = start(largeBatches)) {
			for (int account = 0; account < 70; account++) {
				this.world.publish(World.ACME, "bad-" + account, 1, 1);
			}
			await().until(() -> letters(DeadLetterStatus.PARKED) == 70);
			this.broken.set(false);
			this.world.jdbc()
				.update("update eventing.dead_letters set redrive_runs = case when letter_number <= 67 then 1 else 2 end");
			redrive(application, ALL);
			await().until(() -> letters(DeadLetterStatus.RESOLVED) == 70);
			assertThat(this.world.jdbc()
				.queryForList("select count(*) from eventing.processed_events group by xmin::text order by 1",
						Long.class))
				.containsExactly(1L, 1L, 1L, 3L, 32L, 32L);
		}
	}

	@Test
	void letsOtherKeysOfTheLaneGoOnWhileALetterRuns() {
		CountDownLatch free = new CountDownLatch(1);
		Accounts slow = new Accounts((event) -> {
			if (event.account().equals("slow") && event.version() == 1) {
				if (this.broken.get()) {
					throw new Accounts.Refused();
				}
				awaitInterrupt(free);
			}
		});
		ProjectorSettings oneLane = ProjectorSettings.builder().maxDeliver(1).batchSize(20).concurrency(1).build();
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(slow).with(oneLane))) {
			this.world.publish(World.ACME, "slow", 1, 1);
			await().until(() -> letters(DeadLetterStatus.PARKED) == 1);
			this.broken.set(false);
			redrive(application, ALL);
			await().until(() -> slow.calledVersions("slow").size() == 2);
			this.world.publish(World.ACME, "slow", 2, 4);
			for (int other = 0; other < 20; other++) {
				this.world.publish(World.ACME, "other" + other, 1, 1);
			}
			await().until(() -> this.world.count("select count(*) from account") == 20);
			free.countDown();
			await().until(() -> this.world.version(World.ACME, "slow") == 4);
			assertThat(this.world.count("select count(*) from violations")).isZero();
			assertConsistent();
		}
		finally {
			free.countDown();
		}
	}

	@Test
	void stopsBetweenLettersThatFailOneByOne() {
		AtomicBoolean slow = new AtomicBoolean();
		Accounts failing = new Accounts((event) -> {
			if (slow.get()) {
				await().pollDelay(Duration.ofMillis(50)).until(() -> true);
			}
			throw new Accounts.Refused();
		});
		ProjectorSettings largeBatches = ProjectorSettings.builder()
			.maxDeliver(1)
			.batchSize(500)
			.concurrency(4)
			.build();
		Elapsed took;
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(failing).with(largeBatches))) {
			for (int account = 0; account < 300; account++) {
				this.world.publish(World.ACME, "bad" + account, 1, 1);
			}
			await().until(() -> letters(DeadLetterStatus.PARKED) == 300);
			int calls = failing.calls.size();
			slow.set(true);
			redrive(application, ALL);
			await().until(() -> failing.calls.size() > calls + 3);
			took = Stopwatch.time(() -> application.getBean(ProjectorRegistry.class).stop(Accounts.PROJECTOR));
		}
		took.assertWithin(Duration.ofSeconds(5));
		assertThat(letters(DeadLetterStatus.REDRIVING)).isPositive();
		assertThat(this.world.count("select max(redrive_runs) from eventing.dead_letters")).isZero();
	}

	@Test
	void countsNoRunThatALostLeaseCutsShort() {
		CountDownLatch never = new CountDownLatch(1);
		AtomicInteger begun = new AtomicInteger();
		Accounts slow = new Accounts((event) -> {
			if (this.broken.get()) {
				throw new Accounts.Refused();
			}
			if (begun.incrementAndGet() <= 3) {
				awaitInterrupt(never);
			}
		});
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(slow).with(ONE_ATTEMPT).lease(Duration.ofSeconds(2)))) {
			this.world.publish(World.ACME, "bad", 1, 1);
			await().until(() -> letters(DeadLetterStatus.PARKED) == 1);
			this.broken.set(false);
			redrive(application, ALL);
			for (int lost = 1; lost <= 3; lost++) {
				int run = lost;
				await().until(() -> begun.get() == run);
				assertThat(this.world.count("select redrive_runs from eventing.dead_letters")).isEqualTo(1);
				this.world.jdbc().update("""
						update eventing.leases set owner = 'another', token = gen_random_uuid(),
						       expires_at = clock_timestamp() + interval '200 ms'
						 where lease_name = 'projector/accounts'""");
			}
			await().until(() -> this.world.version(World.ACME, "bad") == 1);
			assertThat(letters(DeadLetterStatus.RESOLVED)).isEqualTo(1);
			assertConsistent();
		}
	}

	/** As where a read model is emptied by hand and fed again. */
	@Test
	void keepsEventsThatFailAgainAfterTheirLettersWereResolvedAndTheyWereForgotten() {
		List<Event<Deposited>> events = List.of(this.world.deposit(World.ACME, "bad", 1),
				this.world.deposit(World.ACME, "bad", 2));
		try (AnnotationConfigApplicationContext application = start(ONE_ATTEMPT)) {
			events.forEach(this.world::publish);
			await().until(() -> letters(DeadLetterStatus.PARKED) == 2);
			this.broken.set(false);
			UUID over = redrive(application, ALL).redriveId();
			await().until(() -> letters(DeadLetterStatus.RESOLVED) == 2);

			this.broken.set(true);
			this.world.jdbc().execute("truncate account, eventing.processed_events");
			events.forEach((event) -> await().until(() -> !this.world.publish(event).duplicate()));
			await().until(() -> letters(DeadLetterStatus.PARKED) == 2);
			await().until(() -> this.world.unsettled(Accounts.PROJECTOR) == 0);
			assertThat(this.world.count("select count(*) from account")).isZero();
			assertThat(this.world.jdbc()
				.queryForList("select reason from eventing.dead_letters order by letter_number", String.class))
				.containsExactly("ATTEMPTS_EXHAUSTED", "BEHIND");
			assertThat(application.getBean(DeadLetters.class).audit(head().letterId())).last()
				.extracting((entry) -> entry.action().name())
				.isEqualTo("REOPENED");
			assertThat(application.getBean(DeadLetters.class).progress(over).parked())
				.as("letters that are not of this redrive any more")
				.isZero();
			assertConsistent();

			this.broken.set(false);
			redrive(application, ALL);
			await().until(() -> this.world.version(World.ACME, "bad") == 2);
			await().until(() -> letters(DeadLetterStatus.RESOLVED) == 2);
			assertConsistent();
		}
	}

	private static void awaitInterrupt(CountDownLatch never) {
		try {
			never.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

}
