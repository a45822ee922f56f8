package dev.eventing.sdk.guarantees;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterFilter;
import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.deadletter.RedriveRequest;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.projector.Ordering;
import dev.eventing.sdk.projector.ProjectorCounts;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ReadModelWriter;
import dev.eventing.sdk.projector.Source;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

/**
 * What handlers leave to the projector keeps what they write themselves keeps: G1, G5 and
 * G6.
 */
class ReadModelWriterIT {

	private static final ProjectorSettings ONE_ATTEMPT = ProjectorSettings.builder().maxDeliver(1).build();

	@AutoClose
	private final World world = World.create();

	@BeforeEach
	void createTables() {
		this.world.jdbc().execute(Deferring.TABLE);
		this.world.jdbc().execute("create table refusing (account text check (account not like 'bad%'))");
	}

	@Test
	void commitsQueuedWritesTogetherWithTheirEvents() {
		publish(20, 25);
		AtomicBoolean broken = new AtomicBoolean(true);
		Deferring handler = new Deferring((event, tenantId, writer) -> {
			Deferring.apply(event, tenantId, writer);
			if (event.account().equals("a7") && event.version() == 13 && broken.get()) {
				throw new Accounts.Refused();
			}
		});
		ProjectorSettings patient = ProjectorSettings.builder()
			.maxDeliver(1000)
			.concurrency(2)
			.retryMultiplier(1.0)
			.build();
		try (AnnotationConfigApplicationContext application = start(handler, patient)) {
			await().until(() -> this.world.count("select count(*) from account where version = 25") == 19);
			await().until(() -> counts(application).failedAttempts() > 1);
			await("those before it").until(() -> this.world.version(World.ACME, "a7") == 12);
			assertThat(this.world.count("select count(*) from applied")).isEqualTo(487);
			assertThat(this.world.count("select count(*) from eventing.processed_events")).isEqualTo(487);
			broken.set(false);
			awaitApplied(20, 25);
			assertThat(counts(application).transactions()).as("transactions of 500 events").isLessThan(250);
		}
	}

	@Test
	void insertsUpdatesAndDeletesTheRowsOfManyKeysEachInItsOrder() {
		this.world.jdbc().execute("create table life (account text primary key, version bigint)");
		publish(30, 15);
		Deferring handler = new Deferring((event, tenantId, writer) -> {
			switch ((int) event.version() % 3) {
				case 1 -> writer.update("insert into life values (?, ?)", event.account(), event.version());
				case 2 ->
					writer.update("update life set version = ? where account = ?", event.version(), event.account());
				default -> writer.update("delete from life where account = ? and version = ?", event.account(),
						event.version() - 1);
			}
			Deferring.apply(event, tenantId, writer);
		});
		try (AnnotationConfigApplicationContext application = start(handler, ProjectorSettings.NONE)) {
			awaitApplied(30, 15);
			assertThat(this.world.count("select count(*) from life")).as("rows that outlived their last event")
				.isZero();
			assertThat(counts(application).failedAttempts()).isZero();
			assertThat(counts(application).transactions()).isLessThan(225);
		}
	}

	@Test
	void findsTheEventWhoseQueuedWriteFailsAndAppliesTheOthersOnce() {
		publish(10, 10);
		this.world.publish(World.ACME, "bad", 1, 1);
		for (int account = 10; account < 20; account++) {
			this.world.publish(World.ACME, "a" + account, 1, 10);
		}
		try (AnnotationConfigApplicationContext application = start(new Deferring(ReadModelWriterIT::refuseBad),
				ProjectorSettings.NONE)) {
			awaitApplied(20, 10);
			DeadLetter letter = theLetter();
			assertThat(letter.orderingKey()).isEqualTo("bad");
			assertThat(letter.reason()).isEqualTo("ATTEMPTS_EXHAUSTED");
			assertThat(letter.attempts()).isEqualTo(3);
			assertThat(letter.failure().errorClass()).isEqualTo(DataIntegrityViolationException.class.getName());
			await().untilAsserted(() -> assertThat(counts(application).failedAttempts()).isEqualTo(3));
			assertThat(this.world.count("select count(*) from refusing")).isEqualTo(200);
		}
	}

	/** JDBC keeps the arguments that were set for the row before. */
	@Test
	void givesNoWriteTheArgumentsOfAnotherEvent() {
		String insert = "insert into applied (account, version) values (?, ?)";
		Deferring handler = new Deferring((event, tenantId, writer) -> {
			if (event.account().equals("short")) {
				writer.update(insert, event.account());
			}
			else {
				writer.update(insert, event.account(), event.version());
			}
		});
		publish(5, 1);
		this.world.publish(World.ACME, "short", 1, 1);
		try (AnnotationConfigApplicationContext application = start(handler, ONE_ATTEMPT)) {
			await().until(() -> counts(application).deadLetters() == 1 && counts(application).processed() == 5);
			assertThat(theLetter().orderingKey()).isEqualTo("short");
			assertThat(this.world.count("select count(*) from applied")).isEqualTo(5);
		}
	}

	@Test
	void takesNoRetryForAsWellForWhatAQueuedWriteThrows() {
		this.world.publish(World.ACME, "bad", 1, 2);
		publish(5, 5);
		ProjectorSettings noRetry = ProjectorSettings.builder()
			.maxDeliver(5)
			.noRetryFor(Set.of(DataIntegrityViolationException.class))
			.build();
		try (AnnotationConfigApplicationContext application = start(new Deferring(ReadModelWriterIT::refuseBad),
				noRetry)) {
			awaitApplied(5, 5);
			await().until(() -> counts(application).parked() == 1);
			assertThat(this.world.deadLetters(Deferring.PROJECTOR)).extracting(DeadLetter::reason)
				.containsExactlyInAnyOrder("NOT_RETRYABLE", "BEHIND");
		}
	}

	@Test
	void countsAFailedFlushAsTheFailureAlsoOfAHandlerThatCatchesIt() {
		this.world.publish(World.ACME, "bad", 1, 1);
		publish(3, 3);
		Deferring handler = new Deferring((event, tenantId, writer) -> {
			refuseBad(event, tenantId, writer);
			assertThat(catchThrowable(writer::flush)).isEqualTo(catchThrowable(writer::flush));
		});
		try (AnnotationConfigApplicationContext application = start(handler, ONE_ATTEMPT)) {
			awaitApplied(3, 3);
			await().until(() -> counts(application).deadLetters() == 1);
			assertThat(theLetter().failure().errorClass()).isEqualTo(DataIntegrityViolationException.class.getName());
		}
	}

	@Test
	void showsQueuedWritesToQueriesOnlyAfterAFlush() {
		List<String> seen = new CopyOnWriteArrayList<>();
		AtomicReference<Deferring> handler = new AtomicReference<>();
		handler.set(new Deferring((event, tenantId, writer) -> {
			JdbcTemplate jdbc = handler.get().jdbc;
			Deferring.apply(event, tenantId, writer);
			String before = jdbc.queryForObject("select count(*)::text from applied where account = ?", String.class,
					event.account());
			writer.flush();
			seen.add(before + jdbc.queryForObject("select count(*)::text from applied where account = ?", String.class,
					event.account()));
		}));
		publish(10, 1);
		try (AnnotationConfigApplicationContext application = start(handler.get(), ProjectorSettings.NONE)) {
			awaitApplied(10, 1);
			assertThat(counts(application).failedAttempts()).isZero();
			assertThat(seen).hasSize(10).containsOnly("01");
		}
	}

	@Test
	void carriesOutWhatIsTooMuchToKeepBeforeTheHandlerReturns() {
		AtomicInteger early = new AtomicInteger();
		AtomicReference<Deferring> handler = new AtomicReference<>();
		handler.set(new Deferring((event, tenantId, writer) -> {
			for (int row = 1; row <= 25_000; row++) {
				writer.update("insert into applied (account, version) values (?, ?)", event.account(), row);
			}
			Integer written = handler.get().jdbc.queryForObject("select count(*) from applied", Integer.class);
			early.set((written != null) ? written : 0);
		}));
		this.world.publish(World.ACME, "a0", 1, 1);
		try (AnnotationConfigApplicationContext application = start(handler.get(), ProjectorSettings.NONE)) {
			await().until(() -> counts(application).processed() == 1);
			assertThat(this.world.count("select count(*) from applied")).isEqualTo(25_000);
			assertThat(early).hasValue(20_000);
		}
	}

	@Test
	void appliesEveryEventOnceWhereNoOrderIsKept() {
		for (int account = 0; account < 200; account++) {
			this.world.publish(World.ACME, "a" + account, 1, 1);
		}
		ProjectorSettings unordered = ProjectorSettings.builder().concurrency(3).ordering(Ordering.NONE).build();
		try (AnnotationConfigApplicationContext application = start(new Deferring(Deferring::apply), unordered);
				AnnotationConfigApplicationContext other = start(new Deferring(Deferring::apply), unordered)) {
			awaitApplied(200, 1);
			await().untilAsserted(
					() -> assertThat(counts(application).processed() + counts(other).processed()).isEqualTo(200));
		}
	}

	@Test
	void keepsTheWritesOfABatchHandlerInTheirPlaceAmongThoseOfOthers() {
		this.world.jdbc().execute("create table place (seq bigserial, what text)");
		Batches batches = new Batches();
		publish(20, 10);
		try (AnnotationConfigApplicationContext application = this.world.start(WorldApplication.of(batches))) {
			awaitApplied(20, 10);
			assertThat(World.status(application, "batches").counts().failedAttempts()).isZero();
			assertThat(batches.sizes.stream().mapToInt(Integer::intValue).sum()).isEqualTo(200);
			assertThat(batches.sizes).as("events in one call").anyMatch((size) -> size > 1);
			assertThat(this.world.jdbc().queryForList("select what from place order by seq", String.class))
				.as("every call's first write before its last, one call after the other")
				.isEqualTo(batches.expected);
		}
	}

	@Test
	void writesBeforeItTakesTheCheckpointOfAProjectorThatReadsTheEventStore() throws SQLException {
		try (AnnotationConfigApplicationContext application = start(new Deferring(Deferring::apply),
				ProjectorSettings.builder().source(Source.EVENT_STORE).build());
				Connection holder = this.world.jdbc().getDataSource().getConnection()) {
			this.world.append(World.ACME, "a0", 1, 5);
			await().until(() -> counts(application).processed() == 5);
			holder.setAutoCommit(false);
			try (Statement statement = holder.createStatement()) {
				statement.execute("select from account where account = 'a0' for update");
				long last = this.world.append(World.ACME, "a0", 6, 10).lastPosition();
				await().until(() -> this.world.count("""
						select count(*) from pg_stat_activity
						 where datname = current_database() and wait_event_type = 'Lock'""") == 1);
				// fails if the lane that waits for the row holds the checkpoint already
				statement.execute("select from eventing.projector_checkpoints for update nowait");
				assertThat(this.world.checkpoint(Deferring.PROJECTOR)).isLessThan(last);
				holder.rollback();
				await().until(() -> this.world.checkpoint(Deferring.PROJECTOR) == last);
			}
			awaitApplied(1, 10);
		}
	}

	@Test
	void redrivesALetterWhoseQueuedWriteHadFailed() {
		this.world.publish(World.ACME, "bad", 1, 3);
		try (AnnotationConfigApplicationContext application = start(new Deferring(ReadModelWriterIT::refuseBad),
				ONE_ATTEMPT)) {
			await().until(() -> this.world.deadLetters(Deferring.PROJECTOR).size() == 3);
			DeadLetters letters = application.getBean(DeadLetters.class);
			RedriveRequest all = RedriveRequest.of(DeadLetterFilter.ALL.withProjector(Deferring.PROJECTOR), "ops");
			java.util.UUID first = letters.redrive(all).redriveId();
			await().until(() -> letters.progress(first).isOver());
			assertThat(this.world.count("select count(*) from applied")).isZero();
			assertThat(this.world.deadLetters(Deferring.PROJECTOR)).extracting(DeadLetter::reason)
				.contains("REDRIVE_FAILED");
			this.world.jdbc().execute("alter table refusing drop constraint refusing_account_check");
			letters.redrive(all);
			await().until(() -> this.world.version(World.ACME, "bad") == 3);
			assertThatAllWereAppliedInOrder(3);
			Letters.assertConsistent(this.world);
		}
	}

	@Test
	void refusesAWriterWhoseHandlerHasReturnedOrOnAnotherThread() {
		Map<Deposited, ReadModelWriter> kept = new ConcurrentHashMap<>();
		List<Throwable> elsewhere = new CopyOnWriteArrayList<>();
		Deferring handler = new Deferring((event, tenantId, writer) -> {
			Deferring.apply(event, tenantId, writer);
			for (ReadModelWriter dead : kept.values()) {
				assertThatIllegalStateException().isThrownBy(() -> Deferring.apply(event, tenantId, dead))
					.withMessageContaining("Deferring.on(")
					.withMessageContaining("has returned");
				assertThatIllegalStateException().isThrownBy(dead::flush);
				assertThatIllegalStateException().isThrownBy(() -> dead.add("t", Map.of("k", 1), Map.of("d", 1)));
			}
			kept.put(event, writer);
			Thread other = new Thread(() -> elsewhere.add(catchThrowable(() -> writer.update("delete from account"))));
			other.start();
			other.join();
		});
		publish(4, 2);
		try (AnnotationConfigApplicationContext application = start(handler, ONE_ATTEMPT)) {
			awaitApplied(4, 2);
			assertThat(counts(application).failedAttempts()).isZero();
			assertThat(elsewhere).hasSize(8)
				.allSatisfy((error) -> assertThat(error).isInstanceOf(IllegalStateException.class)
					.hasMessageContaining("was used on thread"));
		}
	}

	private static void refuseBad(Deposited event, String tenantId, ReadModelWriter writer) {
		Deferring.apply(event, tenantId, writer);
		writer.update("insert into refusing values (?)", event.account());
	}

	/** Accounts a0, a1 and so on, each with the given number of events, in turns. */
	private void publish(int accounts, int versions) {
		for (long version = 1; version <= versions; version++) {
			for (int account = 0; account < accounts; account++) {
				this.world.publish(this.world.deposit(World.ACME, "a" + account, version));
			}
		}
	}

	private void awaitApplied(int accounts, int versions) {
		await().until(() -> this.world
			.count("select count(*) from account where account like 'a%' and version = " + versions) == accounts);
		assertThatAllWereAppliedInOrder(accounts * versions);
		assertThat(this.world.count("select count(*) from account where total <> version * (version + 1) / 2"))
			.isZero();
	}

	private void assertThatAllWereAppliedInOrder(int events) {
		assertThat(this.world.jdbc().queryForList("""
				select a.* from (select *, lag(version, 1, 0::bigint) over (partition by account order by seq) as before
				                   from applied) a
				 where a.version <> a.before + 1""")).isEqualTo(new ArrayList<>());
		assertThat(this.world.count("select count(*) from applied")).isEqualTo(events);
	}

	private DeadLetter theLetter() {
		await().until(() -> !this.world.deadLetters(Deferring.PROJECTOR).isEmpty());
		List<DeadLetter> letters = this.world.deadLetters(Deferring.PROJECTOR);
		assertThat(letters).hasSize(1);
		return letters.get(0);
	}

	private static ProjectorCounts counts(AnnotationConfigApplicationContext application) {
		return World.status(application, Deferring.PROJECTOR).counts();
	}

	private AnnotationConfigApplicationContext start(Object handler, ProjectorSettings settings) {
		return this.world.start(WorldApplication.of(handler).with(settings).lease(Duration.ofSeconds(1)));
	}

	/** Takes as many events as there are, and notes where each call begins and ends. */
	static class Batches {

		final List<Integer> sizes = new CopyOnWriteArrayList<>();

		final List<String> expected = new CopyOnWriteArrayList<>();

		@Autowired
		JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "batches", batchSize = 50,
				concurrency = 1)
		public void on(List<Event<Deposited>> events, ReadModelWriter writer) {
			int call = this.sizes.size();
			this.sizes.add(events.size());
			note("begin " + call, writer);
			events.forEach((event) -> Deferring.apply(event.payload(), event.tenantId().value(), writer));
			note("end " + call, writer);
		}

		private void note(String what, ReadModelWriter writer) {
			this.expected.add(what);
			writer.update("insert into place (what) values (?)", what);
		}

	}

}
