package dev.eventing.sdk.guarantees;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.annotation.Projector;
import dev.eventing.sdk.annotation.ProjectorEventHandler;
import dev.eventing.sdk.projection.BuildOptions;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.ledger.JdbcProjections;
import dev.eventing.sdk.projector.Source;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.store.ExpectedVersion;
import dev.eventing.sdk.store.NewEvent;
import dev.eventing.sdk.test.timing.Elapsed;
import dev.eventing.sdk.test.timing.Stopwatch;
import dev.eventing.sdk.test.timing.TimedTest;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G11: twenty switches to and fro at 500 events a second while eight threads read. A
 * transaction that reads is open all the time, and one at repeatable read began before
 * the build. By names of schemas no reader waits for a lock, and no read takes longer
 * than a tenth of a second. Prints the longest read of both ways, and how many events a
 * second there were. A machine on which a generation falls behind gets fewer, and must
 * have been as busy as that.
 */
@Tag("crash")
class G11ReadersIT {

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private static final int SWITCHES = 20;

	private static final int ACCOUNTS = 10;

	private static final int EVENTS_A_TICK = 10;

	private static final int TICKS_A_LOOK = 25;

	private static final long EVENTS_A_SECOND = 500;

	/**
	 * While the live generation is held for a switch, some hundred events wait. Four
	 * seconds behind is no generation of a machine that bears 500 events a second.
	 */
	private static final long FAR_BEHIND = 4 * EVENTS_A_SECOND;

	/** On a quiet machine. */
	private static final Duration LONGEST_READ = Duration.ofMillis(100);

	/** Part of the time in which events are appended at their rate. */
	private static final double PUNCTUAL = 0.95;

	@AutoClose
	private final World world = World.create();

	private final Projections operators = new JdbcProjections(this.world.jdbc().getDataSource(),
			EventingSchema.defaults());

	private final AtomicLong appended = new AtomicLong();

	/** For the thread that appends. */
	private long ticks;

	/** For the thread that appends. */
	private boolean farBehind;

	private volatile boolean rests;

	@TimedTest
	@Timeout(600)
	void letsNoReaderWaitWhereSchemasChangeNames() throws Exception {
		this.world.jdbc()
			.execute("do $$ begin execute format('alter database %I set search_path = ledger, public', "
					+ "current_database()); end $$");
		((HikariDataSource) this.world.jdbc().getDataSource()).getHikariPoolMXBean().softEvictConnections();
		try (AnnotationConfigApplicationContext application = start()) {
			this.operators.adopt(Accounts.PROJECTOR, "ledger", "anna", "a schema of its own", PATIENCE);
			assertThat(ended()).startsWith("The live tables lie in the schema ledger now, not in public.");
			SwitchReaders readers = switchWhileReading("Their schemas changed names; no reader had to wait for that.",
					5_000);
			assertThat(readers.waits()).as("readers seen waiting for a lock").isZero();
			readers.longest().assertWithin(LONGEST_READ);
		}
	}

	@TimedTest
	@Timeout(600)
	void letsReadersWaitForAMomentWhereTablesMove() throws Exception {
		try (AnnotationConfigApplicationContext application = start()) {
			switchWhileReading("The tables moved between the schemas.", 20);
		}
	}

	private SwitchReaders switchWhileReading(String way, long longMillis) throws Exception {
		ScheduledExecutorService writer = Executors.newSingleThreadScheduledExecutor();
		SwitchReaders readers;
		Elapsed appendedFor;
		try (Connection old = DriverManager.getConnection(this.world.jdbcUrl(), "postgres", "");
				SwitchReaders running = new SwitchReaders(this.world.jdbcUrl())) {
			readers = running;
			long first = this.appended.get();
			Stopwatch machine = Stopwatch.start();
			ScheduledFuture<?> appending = writer.scheduleAtFixedRate(this::appendAtPace, 0, 20, TimeUnit.MILLISECONDS);
			Statement before = beginAtRepeatableRead(old);
			long seen = sum(before);
			build();
			assertThat(switchTo(2)).startsWith("Readers may see less than they saw: old snapshots are held by pid ");
			assertThat(sum(before)).isEqualTo(seen);
			old.rollback();
			running.startLongTransactions(longMillis);
			for (int number = 0; number < SWITCHES; number++) {
				int generation = 2 - number % 2;
				assertThat(switchTo(generation)).startsWith("Generation " + generation + " is live from position ")
					.endsWith(way);
				long read = running.reads();
				await().atMost(PATIENCE).until(() -> running.reads() > read + 100);
			}
			assertThat(appending.isDone()).as("appending failed").isFalse();
			appendedFor = machine.stop();
			assertThatTheRateWasReached(this.appended.get() - first, appendedFor);
		}
		finally {
			writer.shutdown();
			assertThat(writer.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
		}
		System.out.printf(
				"%s %d switches, %,d events, %,d reads by 8 threads: the longest took %s; "
						+ "readers were seen waiting for a lock %d times.%n",
				way, SWITCHES, this.appended.get(), readers.reads(), readers.longest(), readers.waits());
		assertThat(readers.problems()).isEmpty();
		assertThatTheReadModelIsExact();
		return readers;
	}

	/**
	 * Or the machine was too busy for that: its processors had more to do, or it stood
	 * still.
	 */
	private static void assertThatTheRateWasReached(long events, Elapsed during) {
		System.out.printf("%,d events in %s: %.0f a second%n", events, during, events * 1e3 / during.took().toMillis());
		during.assertWithin(Duration.ofMillis(Math.round(events * 1e3 / EVENTS_A_SECOND / PUNCTUAL)));
	}

	private static Statement beginAtRepeatableRead(Connection connection) throws SQLException {
		connection.setAutoCommit(false);
		connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
		return connection.createStatement();
	}

	private static long sum(Statement statement) throws SQLException {
		try (var rows = statement.executeQuery("select coalesce(sum(version), 0)::bigint from account")) {
			rows.next();
			return rows.getLong(1);
		}
	}

	/**
	 * On a slow machine it waits for the generations: a switch does not wait for them.
	 */
	private void appendAtPace() {
		if (this.ticks++ % TICKS_A_LOOK == 0) {
			this.farBehind = behind() > FAR_BEHIND;
		}
		if (!this.farBehind && !this.rests) {
			append();
		}
	}

	/** Ten events of one account; the accounts take turns. */
	private void append() {
		long tick = this.appended.get() / EVENTS_A_TICK;
		String account = "a" + tick % ACCOUNTS;
		long from = tick / ACCOUNTS * EVENTS_A_TICK;
		List<NewEvent> events = LongStream.rangeClosed(from + 1, from + EVENTS_A_TICK)
			.mapToObj((version) -> NewEvent.of(new Deposited(account, version, version)))
			.toList();
		this.world.inTransaction((store) -> store.append(World.ACME, this.world.storedStream(account),
				ExpectedVersion.exact(from), events));
		this.appended.addAndGet(EVENTS_A_TICK);
	}

	private AnnotationConfigApplicationContext start() {
		append();
		AnnotationConfigApplicationContext application = this.world
			.start(WorldApplication.of(new Stored()).lease(Duration.ofSeconds(5)));
		await().atMost(PATIENCE).until(() -> this.world.count("select count(*) from account") == 1);
		return application;
	}

	/** At full speed: on a busy machine the live one lags, and a build gives way. */
	private void build() {
		this.operators.rebuildBeside(Accounts.PROJECTOR, new BuildOptions(Integer.MAX_VALUE, null), "anna", "a test",
				PATIENCE);
		await().atMost(PATIENCE)
			.until(() -> this.operators.generations(Accounts.PROJECTOR)
				.stream()
				.anyMatch((each) -> each.status() == ProjectionGeneration.Status.READY));
	}

	/**
	 * Again where the machine is too slow for the ten seconds that a switch may hold:
	 * then nothing is appended until the generations have caught up.
	 */
	private String switchTo(int generation) {
		return PatientSwitch.ask(() -> {
			this.operators.switchTo(Accounts.PROJECTOR, generation, "anna", "a test", PATIENCE);
			String ended = ended();
			if (ended.startsWith(PatientSwitch.LATE)) {
				this.rests = true;
				await().atMost(PATIENCE).until(() -> behind() < EVENTS_A_SECOND);
				this.rests = false;
			}
			return ended;
		});
	}

	private long behind() {
		return this.world.count("select coalesce(max(behind_events), 0) from eventing.projector_overview");
	}

	private String ended() {
		await().atMost(PATIENCE)
			.until(() -> this.operators.lastRequest(Accounts.PROJECTOR)
				.orElseThrow()
				.state()
				.status() != Status.PENDING);
		return String.valueOf(this.operators.lastRequest(Accounts.PROJECTOR).orElseThrow().state().detail());
	}

	private void assertThatTheReadModelIsExact() {
		for (String schema : List.of("", "accounts_g2.")) {
			await().atMost(PATIENCE)
				.until(() -> this.world.count(
						"select coalesce(sum(version), 0)::bigint from " + schema + "account") == this.appended.get());
			assertThat(this.world.jdbc().queryForList("select * from " + schema + "violations")).isEmpty();
			assertThat(this.world
				.count("select count(*) from " + schema + "account where total <> version * (version + 1) / 2"))
				.isZero();
		}
	}

	@Projector(value = Accounts.PROJECTOR, tables = { "account", "violations" })
	static class Stored {

		@Autowired
		private JdbcTemplate jdbc;

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", source = Source.EVENT_STORE, concurrency = 3)
		public void on(Deposited event, UUID eventId, String tenantId) {
			World.apply(this.jdbc, event, tenantId);
		}

	}

}
