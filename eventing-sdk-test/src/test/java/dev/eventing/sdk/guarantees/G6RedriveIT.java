package dev.eventing.sdk.guarantees;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import dev.eventing.sdk.deadletter.AuditEntry;
import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterAction;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetterStatus;
import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.projector.Ordering;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.Source;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Redrives: the handler of a dead letter runs in one transaction with the ledger and
 * {@code processed_events}, and what was parked behind it follows in order.
 */
class G6RedriveIT extends RedriveSetup {

	@Test
	void appliesALetterAndThoseBehindItInOrderWhileNewEventsOfTheKeyArrive() {
		redriveWhileEventsArrive(ONE_ATTEMPT, (version) -> this.world.publish(World.ACME, "bad", version, version));
	}

	@Test
	void appliesThemAlsoWhereTheEventStoreIsRead() {
		redriveWhileEventsArrive(ONE_ATTEMPT.toBuilder().source(Source.EVENT_STORE).build(),
				(version) -> this.world.append(World.ACME, "bad", version, version));
	}

	/**
	 * Where each transaction saw what was there when it began, it would miss what was
	 * parked since.
	 */
	@Test
	void appliesThemAlsoWhereThePoolReadsRepeatably() {
		this.world.setDefault("default_transaction_isolation", "repeatable read");
		redriveWhileEventsArrive(ONE_ATTEMPT, (version) -> this.world.publish(World.ACME, "bad", version, version));
	}

	private void redriveWhileEventsArrive(ProjectorSettings settings, java.util.function.LongConsumer publish) {
		try (AnnotationConfigApplicationContext application = start(settings)) {
			for (long version = 1; version <= 5; version++) {
				publish.accept(version);
			}
			await().until(() -> letters(DeadLetterStatus.PARKED) == 5);
			assertThat(this.world.version(World.ACME, "bad")).isZero();
			AtomicLong published = new AtomicLong(5);
			ScheduledExecutorService publisher = Executors.newSingleThreadScheduledExecutor();
			ScheduledFuture<?> publishing = publisher
				.scheduleWithFixedDelay(() -> publish.accept(published.incrementAndGet()), 0, 5, TimeUnit.MILLISECONDS);
			this.broken.set(false);
			redrive(application, ALL);
			await().until(() -> this.world.version(World.ACME, "bad") > 200);
			publishing.cancel(false);
			publisher.shutdown();
			await().until(publisher::isTerminated);
			long last = published.get();
			await().until(() -> this.world.version(World.ACME, "bad") == last);
			assertThat(this.world.count("select count(*) from violations")).isZero();
			assertThat(this.world.count("select total from account")).isEqualTo(last * (last + 1) / 2);
			assertConsistent();
		}
	}

	@Test
	void keepsTheOrderOverManyRoundsOfFailingAndRedriving() {
		AtomicInteger calls = new AtomicInteger();
		Accounts unreliable = new Accounts((event) -> {
			if (calls.incrementAndGet() % 7 == 0 && this.broken.get()) {
				throw new Accounts.Refused();
			}
		});
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(unreliable).with(ONE_ATTEMPT));
				Load load = Load.of(this.world, 10, Duration.ofMillis(5))) {
			DeadLetters letters = application.getBean(DeadLetters.class);
			await().pollInterval(Duration.ofMillis(100))
				.failFast("events were applied out of order",
						() -> this.world.count("select count(*) from violations") > 0)
				.until(() -> {
					letters.redrive(RedriveRequest.of(ALL, "ops"));
					return load.rounds() > 100;
				});
			load.close();
			this.broken.set(false);
			await().pollInterval(Duration.ofMillis(100)).until(() -> {
				letters.redrive(RedriveRequest.of(ALL, "ops"));
				return load.applied() == load.rounds();
			});
			assertThat(this.world.count("select count(*) from violations")).isZero();
			System.out.println("many rounds: " + this.world.count("select count(*) from eventing.dead_letters")
					+ " letters of " + 10 * load.rounds() + " events, "
					+ this.world.count("select count(*) from eventing.dead_letter_redrives") + " redrives");
			assertConsistent();
		}
	}

	@Test
	void parksALetterAgainThatFailsAgainAndHoldsThoseBehindIt() {
		try (AnnotationConfigApplicationContext application = start(ONE_ATTEMPT)) {
			this.world.publish(World.ACME, "bad", 1, 3);
			await().until(() -> letters(DeadLetterStatus.PARKED) == 3);
			UUID redrive = redrive(application, ALL).redriveId();
			DeadLetters letters = application.getBean(DeadLetters.class);
			await().until(() -> letters.progress(redrive).isOver());
			assertThat(letters.progress(redrive).parked()).isEqualTo(3);
			DeadLetter head = head();
			assertThat(head.reason()).isEqualTo("REDRIVE_FAILED");
			assertThat(head.handling().redrives()).isEqualTo(1);
			assertThat(letters.audit(head.letterId())).extracting(AuditEntry::action)
				.containsExactly(DeadLetterAction.REDRIVE_REQUESTED, DeadLetterAction.FAILED_AGAIN);
			assertThat(this.accounts.calledVersions("bad")).containsOnly(1L);
			assertThat(this.world.count("select count(*) from eventing.dead_letter_audit where action = 'HELD_BACK'"))
				.isEqualTo(2);
			this.broken.set(false);
			redrive(application, DeadLetterFilter.of(head.letterId()));
			await().until(() -> this.world.version(World.ACME, "bad") == 3);
			await().until(() -> letters(DeadLetterStatus.RESOLVED) == 3);
			assertThat(head().handling().redrives()).isEqualTo(2);
			assertConsistent();
		}
	}

	@Test
	void letsFollowersGoWhenTheFirstIsDiscarded() {
		try (AnnotationConfigApplicationContext application = start(ONE_ATTEMPT)) {
			this.world.publish(World.ACME, "bad", 1, 3);
			await().until(() -> letters(DeadLetterStatus.PARKED) == 3);
			this.accounts.calls.clear();
			application.getBean(DeadLetters.class)
				.discard(DeadLetterFilter.of(head().letterId()), "ops", "it was a test");
			await().until(() -> letters(DeadLetterStatus.RESOLVED) == 2);
			this.world.publish(World.ACME, "bad", 4, 4);
			await().until(() -> this.accounts.calledVersions("bad").contains(4L));
			assertThat(this.accounts.calledVersions("bad")).containsExactly(2L, 3L, 4L);
			assertConsistent();
		}
	}

	@Test
	void runsEachLetterOnceWhenTwoRedrivesAreRequestedAtOnce() {
		try (AnnotationConfigApplicationContext application = start(ONE_ATTEMPT)) {
			for (int account = 0; account < 20; account++) {
				this.world.publish(World.ACME, "bad" + account, 1, 3);
			}
			await().until(() -> letters(DeadLetterStatus.PARKED) == 60);
			this.broken.set(false);
			this.accounts.calls.clear();
			ExecutorService operators = Executors.newFixedThreadPool(2);
			operators.execute(() -> redrive(application, ALL));
			operators.execute(() -> redrive(application, ALL));
			operators.shutdown();
			await().until(() -> letters(DeadLetterStatus.RESOLVED) == 60);
			assertThat(this.accounts.calls).hasSize(60);
			assertThat(this.world.count("select count(*) from violations")).isZero();
			assertConsistent();
		}
	}

	@Test
	void appliesAnEventOnceThatIsRedrivenAndDeliveredAgainWhereNodesCompete() {
		ProjectorSettings competing = ProjectorSettings.builder()
			.maxDeliver(1)
			.ackWait(Duration.ofSeconds(1))
			.batchSize(20)
			.concurrency(2)
			.ordering(Ordering.NONE)
			.retryDelay(Duration.ofMillis(50))
			.retryMultiplier(1.0)
			.retryMaxDelay(Duration.ofMillis(50))
			.build();
		Accounts other = accounts();
		try (AnnotationConfigApplicationContext one = start(competing);
				AnnotationConfigApplicationContext two = this.world.start(WorldApplication.of(other).with(competing))) {
			assertThat(two.isActive()).isTrue();
			for (int round = 0; round < 10; round++) {
				this.broken.set(true);
				Event<?> event = this.world.deposit(World.ACME, "bad" + round, 1);
				this.world.publish(event);
				await().until(() -> letters(DeadLetterStatus.PARKED) == 1);
				this.broken.set(false);
				this.accounts.calls.clear();
				other.calls.clear();
				redrive(one, ALL);
				await().pollInterval(Duration.ofMillis(20)).until(() -> {
					this.world.publish(event);
					return letters(DeadLetterStatus.RESOLVED) > 0 && letters(DeadLetterStatus.PARKED) == 0
							&& letters(DeadLetterStatus.REDRIVING) == 0;
				});
				assertThat(this.accounts.calls.size() + other.calls.size()).isEqualTo(1);
			}
			assertThat(this.world.count("select count(*) from violations")).isZero();
			assertThat(this.world.count("select sum(total) from account")).isEqualTo(10);
			assertConsistent();
		}
	}

	@Test
	void redrivesByItselfWithGrowingDelaysUpToItsLimit() {
		ProjectorSettings automatic = ONE_ATTEMPT.toBuilder()
			.deadLetters(new ProjectorSettings.DeadLetters(null, null, Set.of(Accounts.Refused.class),
					Duration.ofMillis(400), 2))
			.build();
		try (AnnotationConfigApplicationContext application = start(automatic)) {
			this.world.publish(World.ACME, "bad", 1, 2);
			await().until(() -> letters(DeadLetterStatus.PARKED) == 2 && head().handling().redrives() == 2);
			assertThat(head().handling().redriven().nextAt()).isNull();
			List<AuditEntry> audit = application.getBean(DeadLetters.class).audit(head().letterId());
			assertThat(audit).extracting(AuditEntry::action)
				.containsExactly(DeadLetterAction.REDRIVE_REQUESTED, DeadLetterAction.FAILED_AGAIN,
						DeadLetterAction.REDRIVE_REQUESTED, DeadLetterAction.FAILED_AGAIN);
			assertThat(audit).extracting(AuditEntry::actor).containsOnly("projector:" + Accounts.PROJECTOR);
			assertThat(Duration.between(head().deadAt(), audit.get(0).at())).isGreaterThan(Duration.ofMillis(400));
			assertThat(Duration.between(audit.get(1).at(), audit.get(2).at())).isGreaterThan(Duration.ofMillis(800));
			this.broken.set(false);
			this.world.publish(World.ACME, "bad2", 1, 1);
			redrive(application, ALL);
			await().until(() -> this.world.version(World.ACME, "bad") == 2);
			assertConsistent();
		}
	}

	@Test
	void redrivesByItselfWhatPassedMeanwhile() {
		ProjectorSettings automatic = ONE_ATTEMPT.toBuilder()
			.deadLetters(new ProjectorSettings.DeadLetters(null, null, Set.of(Accounts.Refused.class),
					Duration.ofMillis(200), 5))
			.build();
		try (AnnotationConfigApplicationContext application = start(automatic)) {
			assertThat(application.isActive()).isTrue();
			this.world.publish(World.ACME, "bad", 1, 4);
			await().until(() -> this.world.count("select count(*) from eventing.dead_letters where redrives > 0") == 1);
			this.broken.set(false);
			await().until(() -> this.world.version(World.ACME, "bad") == 4);
			assertConsistent();
		}
	}

	@Test
	void takesTheEditedPayloadAndNoOtherEvent() {
		try (AnnotationConfigApplicationContext application = start(ONE_ATTEMPT);
				Wire wire = new Wire(this.world.natsUrl())) {
			DeadLetters letters = application.getBean(DeadLetters.class);
			wire.publish(this.world.root() + ".acme.deposited",
					G5DeadLetterIT.headers(java.util.Map.of("ce-subject", "e")), "not { json");
			await().until(() -> letters(DeadLetterStatus.PARKED) == 1);
			UUID letter = head().letterId();
			redrive(application, ALL);
			await().until(() -> letters(DeadLetterStatus.PARKED) == 1);
			assertThat(letters.audit(letter)).extracting(AuditEntry::detail)
				.last()
				.asString()
				.contains("UNREADABLE:PAYLOAD");
			letters.edit(letter, "{\"account\":\"e\",\"version\":1,\"amount\":1}".getBytes(StandardCharsets.UTF_8),
					"ops", "it was cut");
			redrive(application, ALL);
			await().until(() -> this.world.version(World.ACME, "e") == 1);
			assertThat(head().event().payload()).asString().isEqualTo("not { json");
			assertConsistent();
		}
	}

	@Test
	void redrivesAPausedProjectorAndKeepsToTheRate() {
		try (AnnotationConfigApplicationContext application = start(ONE_ATTEMPT)) {
			for (int account = 0; account < 12; account++) {
				this.world.publish(World.ACME, "bad" + account, 1, 1);
			}
			await().until(() -> letters(DeadLetterStatus.PARKED) == 12);
			application.getBean(ProjectorRegistry.class).pause(Accounts.PROJECTOR);
			this.broken.set(false);
			application.getBean(DeadLetters.class).redrive(new RedriveRequest(ALL, "ops", 8));
			await().until(() -> letters(DeadLetterStatus.RESOLVED) == 12);
			assertThat(this.world.count("""
					select extract(epoch from max(closed_at) - min(closed_at)) * 1000 from eventing.dead_letters"""))
				.as("milliseconds for twelve letters at eight a second, two at a time")
				.isGreaterThanOrEqualTo(1100);
			assertConsistent();
		}
	}

	@Test
	void runsTheLettersOfOtherRedrivesWhileOneKeepsToItsRate() {
		try (AnnotationConfigApplicationContext application = start(ONE_ATTEMPT)) {
			for (int account = 0; account < 60; account++) {
				this.world.publish(World.ACME, "bad" + account, 1, 1);
			}
			await().until(() -> letters(DeadLetterStatus.PARKED) == 60);
			this.world.publish(World.ACME, "bad-urgent", 1, 1);
			await().until(() -> letters(DeadLetterStatus.PARKED) == 61);
			UUID urgent = last();
			this.broken.set(false);
			DeadLetters letters = application.getBean(DeadLetters.class);
			UUID slow = letters.redrive(new RedriveRequest(others(urgent), "ops", 1)).redriveId();
			await().until(() -> letters(DeadLetterStatus.RESOLVED) > 0);
			redrive(application, DeadLetterFilter.of(urgent));
			await().until(() -> this.world.version(World.ACME, "bad-urgent") == 1);
			assertThat(letters.progress(slow).waiting()).as("letters of the slow redrive").isPositive();
			assertConsistent();
		}
	}

	/** All letters but this one. */
	private DeadLetterFilter others(UUID letterId) {
		return DeadLetterFilter.of(this.world.deadLetters(Accounts.PROJECTOR)
			.stream()
			.map(DeadLetter::letterId)
			.filter((each) -> !each.equals(letterId))
			.toArray(UUID[]::new));
	}

	private UUID last() {
		return this.world.deadLetters(Accounts.PROJECTOR)
			.stream()
			.max(java.util.Comparator.comparing(DeadLetter::number))
			.orElseThrow()
			.letterId();
	}

	/** What was parked since is requested by another redrive, which has no rate. */
	@Test
	void keepsTheOrderOfAKeyWhoseLettersAreInTwoRedrives() {
		try (AnnotationConfigApplicationContext application = start(ONE_ATTEMPT)) {
			for (int account = 0; account < 4; account++) {
				this.world.publish(World.ACME, "bad" + account, 1, 1);
			}
			await().until(() -> letters(DeadLetterStatus.PARKED) == 4);
			this.world.publish(World.ACME, "bad", 1, 3);
			await().until(() -> letters(DeadLetterStatus.PARKED) == 7);
			this.broken.set(false);
			this.accounts.calls.clear();
			application.getBean(DeadLetters.class).redrive(new RedriveRequest(ALL, "ops", 1));
			await().until(() -> letters(DeadLetterStatus.RESOLVED) == 1);
			this.world.publish(World.ACME, "bad", 4, 5);
			await().until(() -> letters(DeadLetterStatus.PARKED) == 2);
			assertThat(redrive(application, ALL).letters()).isEqualTo(2);
			await().until(() -> this.world.version(World.ACME, "bad") == 5);
			assertThat(this.accounts.calledVersions("bad")).containsExactly(1L, 2L, 3L, 4L, 5L);
			assertThat(this.world.count("select count(*) from violations")).isZero();
			await().until(() -> letters(DeadLetterStatus.RESOLVED) == 9);
			assertConsistent();
		}
	}

	@Test
	void keepsALetterWhoseTransactionFailsAtItsCommit() {
		this.world.jdbc().execute("""
				create table allowed (account text primary key);
				create table checked (account text references allowed deferrable initially deferred)""");
		Accounts checked = new Accounts();
		Accounts checking = new Accounts(
				(event) -> checked.jdbc.update("insert into checked values (?)", event.account()));
		try (AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(checking).with(ONE_ATTEMPT))) {
			checked.jdbc = checking.jdbc;
			this.world.publish(World.ACME, "a", 1, 3);
			await().until(() -> letters(DeadLetterStatus.PARKED) == 3);
			assertThat(head().failure().errorClass()).contains("DataIntegrityViolation");
			UUID redrive = redrive(application, ALL).redriveId();
			await().until(() -> application.getBean(DeadLetters.class).progress(redrive).isOver());
			assertThat(head().handling().redrives()).isEqualTo(1);
			assertThat(letters(DeadLetterStatus.PARKED)).isEqualTo(3);
			assertThat(this.world.version(World.ACME, "a")).isZero();
			assertConsistent();
			this.world.jdbc().update("insert into allowed values ('a')");
			redrive(application, ALL);
			await().until(() -> this.world.version(World.ACME, "a") == 3);
			await().until(() -> letters(DeadLetterStatus.RESOLVED) == 3);
			assertConsistent();
		}
	}

	@Test
	void leavesLettersToBeRunWhoseApplicationIsNotThere() {
		try (AnnotationConfigApplicationContext application = start(ONE_ATTEMPT)) {
			assertThat(application.isActive()).isTrue();
			this.world.publish(World.ACME, "bad", 1, 2);
			await().until(() -> letters(DeadLetterStatus.PARKED) == 2);
		}
		try (AnnotationConfigApplicationContext other = this.world.start(WorldApplication.of())) {
			redrive(other, ALL);
			assertThat(letters(DeadLetterStatus.REDRIVING)).isEqualTo(2);
		}
		this.broken.set(false);
		try (AnnotationConfigApplicationContext application = start(ONE_ATTEMPT)) {
			assertThat(application.isActive()).isTrue();
			await().until(() -> this.world.version(World.ACME, "bad") == 2);
			await().until(() -> letters(DeadLetterStatus.RESOLVED) == 2);
			assertConsistent();
		}
	}

}
