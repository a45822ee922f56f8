package dev.eventing.sdk.guarantees;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;

import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetterStatus;
import dev.eventing.sdk.deadletter.DeadLetterSummary;
import dev.eventing.sdk.deadletter.Redrive;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.deadletter.ledger.JdbcDeadLetters;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.projector.Parking;
import dev.eventing.sdk.projector.ProjectorCounts;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.schema.EventingSchema;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.dao.DataAccessException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.awaitility.Awaitility.await;

/**
 * G6 with dead letters: once an event of a key is dead, later events of that key are
 * parked behind it without running a handler, and other keys continue.
 */
class G6ParkingIT {

	private static final ProjectorSettings THREE_LANES = ProjectorSettings.builder()
		.maxDeliver(2)
		.batchSize(20)
		.concurrency(3)
		.build();

	@AutoClose
	private final World world = World.create();

	@Test
	void parksLaterEventsOfADeadLettersKeyWhileOthersGoOn() {
		Accounts accounts = refusing("a");
		try (AnnotationConfigApplicationContext application = start(accounts, THREE_LANES)) {
			this.world.publish(World.ACME, "a", 1, 5);
			for (int other = 0; other < 50; other++) {
				this.world.publish(World.ACME, "b" + other, 1, 2);
			}
			await().untilAsserted(() -> assertThat(parkedVersions()).containsExactly(1L, 2L, 3L, 4L, 5L));
			await().until(() -> this.world.count("select count(*) from account where version = 2") == 50);
			assertThat(this.world.version(World.ACME, "a")).isZero();
			assertThat(accounts.calledVersions("a")).containsOnly(1L);
			await().until(() -> this.world.unsettled(Accounts.PROJECTOR) == 0);
			await().untilAsserted(() -> assertThat(counts(application))
				.extracting(ProjectorCounts::deadLetters, ProjectorCounts::parked, ProjectorCounts::processed)
				.containsExactly(1L, 4L, 100L));
			assertThat(letters()).extracting(DeadLetter::reason)
				.containsExactly("ATTEMPTS_EXHAUSTED", "BEHIND", "BEHIND", "BEHIND", "BEHIND");
			assertThat(letters()).extracting((letter) -> letter.handling().parkingKey()).containsOnly("acme/a");
		}
	}

	@Test
	void parksLaterEventsOfAProjectorThatReadsTheEventStore() {
		Accounts accounts = refusing("a");
		try (AnnotationConfigApplicationContext application = start(accounts,
				THREE_LANES.toBuilder().source(Source.EVENT_STORE).build())) {
			assertThat(application.isActive()).isTrue();
			this.world.append(World.ACME, "a", 1, 5);
			for (int other = 0; other < 20; other++) {
				this.world.append(World.ACME, "b" + other, 1, 2);
			}
			long head = this.world.count("select max(global_position) from eventing.events");
			await().untilAsserted(() -> assertThat(parkedVersions()).containsExactly(1L, 2L, 3L, 4L, 5L));
			await().until(() -> this.world.count("select count(*) from account where version = 2") == 20);
			await().until(() -> this.world.checkpoint(Accounts.PROJECTOR) >= head);
			assertThat(accounts.calledVersions("a")).containsOnly(1L);
		}
	}

	@Test
	void goesOnParkingAfterARestartAndATakeover() {
		AnnotationConfigApplicationContext first = start(refusing("a"), THREE_LANES);
		this.world.publish(World.ACME, "a", 1, 2);
		await().until(() -> parkedVersions().size() == 2);
		Accounts second = new Accounts();
		try (AnnotationConfigApplicationContext standby = start(second, THREE_LANES)) {
			assertThat(standby.isActive()).isTrue();
			first.close();
			this.world.publish(World.ACME, "a", 3, 4);
			this.world.publish(World.ACME, "b", 1, 1);
			await().until(() -> this.world.version(World.ACME, "b") == 1);
			await().untilAsserted(() -> assertThat(parkedVersions()).containsExactly(1L, 2L, 3L, 4L));
			assertThat(second.calledVersions("a")).isEmpty();
		}
		Accounts third = new Accounts();
		try (AnnotationConfigApplicationContext restarted = start(third, THREE_LANES)) {
			assertThat(restarted.isActive()).isTrue();
			this.world.publish(World.ACME, "a", 5, 5);
			await().untilAsserted(() -> assertThat(parkedVersions()).containsExactly(1L, 2L, 3L, 4L, 5L));
			assertThat(third.calledVersions("a")).isEmpty();
		}
	}

	@Test
	void appliesLaterEventsWhereNothingIsParked() {
		try (AnnotationConfigApplicationContext application = start(refusing("a"),
				THREE_LANES.toBuilder().deadLetters(ProjectorSettings.DeadLetters.of(Parking.NONE)).build())) {
			this.world.publish(World.ACME, "a", 1, 2);
			await().until(() -> counts(application).processed() == 1);
			assertThat(counts(application).deadLetters()).isEqualTo(1);
			assertThat(letters()).singleElement().extracting((letter) -> letter.handling().parkingKey()).isNull();
		}
	}

	@Test
	void parksByTheKeyTheProjectorNames() {
		ProjectorSettings byAccount = ProjectorSettings.builder()
			.maxDeliver(2)
			.batchSize(20)
			.concurrency(3)
			.key("payload.account")
			.build();
		Accounts accounts = refusing("a");
		try (AnnotationConfigApplicationContext application = start(accounts, byAccount)) {
			assertThat(application.isActive()).isTrue();
			for (long version = 1; version <= 5; version++) {
				this.world.publish(Event.builder(World.ACME, new Deposited("a", version, version))
					.streamId("stream-" + version)
					.build());
				this.world.publish(this.world.deposit(World.ACME, "b", version));
			}
			await().until(() -> this.world.version(World.ACME, "b") == 5);
			await().untilAsserted(() -> assertThat(parkedVersions()).containsExactly(1L, 2L, 3L, 4L, 5L));
			assertThat(accounts.calledVersions("a")).containsOnly(1L);
			assertThat(letters()).extracting((letter) -> letter.handling().parkingKey()).containsOnly("acme/a");
			DeadLetterFilter ofTheKey = DeadLetterFilter.ALL.withOrderingKey("a");
			List<DeadLetterSummary> found = this.world.operators().find(ofTheKey, null, 10).letters();
			assertThat(found).hasSize(5).extracting(DeadLetterSummary::orderingKey).containsOnly("a");
			UUID first = found.get(4).letterId();
			assertThat(found).extracting(DeadLetterSummary::behind).containsExactly(first, first, first, first, null);
			assertThat(this.world.operators().count(ofTheKey.withOrderingKey("stream-1"))).isZero();
		}
	}

	@Test
	void parksWhatFollowsAnEventThatCannotBeRead() {
		try (Wire wire = new Wire(this.world.natsUrl());
				AnnotationConfigApplicationContext application = start(new Accounts(), THREE_LANES)) {
			assertThat(application.isActive()).isTrue();
			wire.publish(this.world.root() + ".acme.deposited", G5DeadLetterIT.headers(java.util.Map.of()),
					"not { json");
			this.world.publish(World.ACME, "a", 2, 3);
			await().untilAsserted(() -> assertThat(letters()).extracting(DeadLetter::reason)
				.containsExactly("UNREADABLE:PAYLOAD", "BEHIND", "BEHIND"));
			assertThat(this.world.version(World.ACME, "a")).isZero();
		}
	}

	@Test
	void letsEventsOfAKeyWaitInPlaceWhileItHasAsManyLettersAsItMay() {
		ProjectorSettings atMostThree = ProjectorSettings.builder()
			.maxDeliver(1)
			.batchSize(20)
			.concurrency(3)
			.retryDelay(Duration.ofMillis(100))
			.retryMultiplier(1.0)
			.retryMaxDelay(Duration.ofMillis(100))
			.deadLetters(new ProjectorSettings.DeadLetters(null, 3, null, null, null))
			.build();
		Accounts accounts = refusing("a");
		try (AnnotationConfigApplicationContext application = start(accounts, atMostThree)) {
			this.world.publish(World.ACME, "a", 1, 6);
			this.world.publish(World.ACME, "b", 1, 1);
			await().until(() -> this.world.version(World.ACME, "b") == 1);
			await().untilAsserted(() -> assertThat(World.status(application, Accounts.PROJECTOR).detail())
				.contains("1 key waits: it has 3 open dead letters"));
			assertThat(parkedVersions()).containsExactly(1L, 2L, 3L);
			await().untilAsserted(
					() -> assertThat(World.status(application, Accounts.PROJECTOR).waitingForRetry()).isEqualTo(3));
			await().until(() -> this.world.unsettled(Accounts.PROJECTOR) == 3);
			close("a");
			await().until(() -> accounts.calledVersions("a").containsAll(List.of(4L, 5L, 6L)));
			await().untilAsserted(() -> assertThat(World.status(application, Accounts.PROJECTOR).detail())
				.doesNotContain("key waits"));
			await().until(() -> this.world.unsettled(Accounts.PROJECTOR) == 0);
		}
	}

	@Test
	void appliesAKeyAgainOnceItsLettersAreClosed() {
		AtomicBoolean broken = new AtomicBoolean(true);
		Accounts accounts = new Accounts((event) -> {
			if (event.account().equals("a") && broken.get()) {
				throw new Accounts.Refused();
			}
		});
		try (AnnotationConfigApplicationContext application = start(accounts, THREE_LANES)) {
			assertThat(application.isActive()).isTrue();
			this.world.publish(World.ACME, "a", 1, 2);
			await().until(() -> parkedVersions().size() == 2);
			broken.set(false);
			close("a");
			this.world.publish(World.ACME, "a", 3, 4);
			await().until(() -> accounts.calledVersions("a").containsAll(List.of(3L, 4L)));
			await().until(() -> this.world.unsettled(Accounts.PROJECTOR) == 0);
			assertThat(letters()).extracting(DeadLetter::status).containsOnly(DeadLetterStatus.RESOLVED);
		}
	}

	/**
	 * As an operator who stops the command line with Ctrl-Z, or whose network is gone.
	 */
	@Test
	void parksLaterEventsAlsoAfterALetterThatAnOperatorHasLockedWhoseProcessStandsStill() throws Exception {
		CountDownLatch locked = new CountDownLatch(1);
		CountDownLatch goesOn = new CountDownLatch(1);
		DataSource stopping = new RecordedStatements(this.world.jdbc().getDataSource(), (sql, parameter) -> {
		}, (sql, parameter) -> {
			if (sql.contains("for update of d")) {
				locked.countDown();
				assertThatNoException().isThrownBy(goesOn::await);
			}
		});
		try (AnnotationConfigApplicationContext application = start(refusing("a"), THREE_LANES)) {
			assertThat(application.isActive()).isTrue();
			this.world.publish(World.ACME, "a", 1, 2);
			await().until(() -> parkedVersions().size() == 2);
			CompletableFuture<Redrive> redrive = CompletableFuture
				.supplyAsync(() -> new JdbcDeadLetters(stopping, EventingSchema.defaults(), JsonMapper.shared())
					.redrive(RedriveRequest.of(DeadLetterFilter.ALL, "anna")));
			locked.await();
			this.world.publish(World.ACME, "a", 3, 3);
			await().untilAsserted(() -> assertThat(parkedVersions()).containsExactly(1L, 2L, 3L));
			assertThat(redrive).isNotDone();
			goesOn.countDown();
			assertThatExceptionOfType(ExecutionException.class).isThrownBy(redrive::get)
				.withCauseInstanceOf(DataAccessException.class);
			assertThat(parkedVersions()).as("nothing is redriven").containsExactly(1L, 2L, 3L);
		}
		finally {
			goesOn.countDown();
		}
	}

	/** Such as one that somebody has left open in psql. */
	@Test
	void tellsThatAKeyWaitsForATransactionThatHasLockedItsLastLetter() {
		try (AnnotationConfigApplicationContext application = start(refusing("a"), THREE_LANES)) {
			this.world.publish(World.ACME, "a", 1, 2);
			await().until(() -> parkedVersions().size() == 2);
			this.world.whileHolding("select from eventing.dead_letters for update", () -> {
				this.world.publish(World.ACME, "a", 3, 3);
				await().untilAsserted(() -> assertThat(World.status(application, Accounts.PROJECTOR).detail())
					.contains("1 key waits: it has its last dead letter locked by a transaction for more than"));
			});
			await().untilAsserted(() -> assertThat(parkedVersions()).containsExactly(1L, 2L, 3L));
			await().untilAsserted(() -> assertThat(World.status(application, Accounts.PROJECTOR).detail())
				.doesNotContain("key waits"));
		}
	}

	/** Closes all letters of the account as if each had been applied. */
	private void close(String account) {
		this.world.jdbc()
			.update("""
					with closed as (update eventing.dead_letters set status = 'RESOLVED', closed_at = now()
					                 where ordering_key = ? returning projector_name, event_id, tenant_id)
					insert into eventing.processed_events (projector_name, event_id, tenant_id) select * from closed""",
					account);
	}

	private AnnotationConfigApplicationContext start(Accounts accounts, ProjectorSettings settings) {
		return this.world.start(WorldApplication.of(accounts).with(settings).lease(Duration.ofSeconds(1)));
	}

	private static Accounts refusing(String account) {
		return new Accounts((event) -> {
			if (event.account().equals(account) && Set.of(1L).contains(event.version())) {
				throw new Accounts.Refused();
			}
		});
	}

	/** Of all letters, in the order they came. */
	private List<Long> parkedVersions() {
		return this.world.jdbc().queryForList("""
				select (convert_from(payload, 'UTF8')::json ->> 'version')::bigint
				  from eventing.dead_letters where status = 'PARKED' order by letter_number""", Long.class);
	}

	private List<DeadLetter> letters() {
		return this.world.deadLetters(Accounts.PROJECTOR)
			.stream()
			.sorted(java.util.Comparator.comparing(DeadLetter::number))
			.toList();
	}

	private static ProjectorCounts counts(AnnotationConfigApplicationContext application) {
		return World.status(application, Accounts.PROJECTOR).counts();
	}

}
