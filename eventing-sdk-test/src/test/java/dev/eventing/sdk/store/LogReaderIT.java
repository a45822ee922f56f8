package dev.eventing.sdk.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.UnboundPayload;
import dev.eventing.sdk.test.server.PostgresServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import static dev.eventing.sdk.store.StoreWorld.ACME;
import static dev.eventing.sdk.store.StoreWorld.GLOBEX;
import static dev.eventing.sdk.store.StoreWorld.SCHEMA;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

class LogReaderIT {

	@AutoClose
	private final StoreWorld world = StoreWorld.create();

	private final LogReader reader = this.world.log().reader(0);

	@Test
	void handsOutWhatEveryTenantCommittedInTheOrderOfPositions() {
		this.world.append(ACME, "a-1", ExpectedVersion.any(), noted(), noted());
		this.world.append(GLOBEX, "a-1", ExpectedVersion.any(), noted());
		assertThat(this.reader.next(2)).extracting(StoredEvent::position).containsExactly(1L, 2L);
		assertThat(this.reader.position()).isEqualTo(2);
		assertThat(this.reader.next(2)).extracting((stored) -> stored.event().tenantId()).containsExactly(GLOBEX);
		assertThat(this.reader.next(2)).isEmpty();
		assertThat(this.reader.isBlocked()).isFalse();
	}

	@Test
	void readsAContiguousPageInOneStatement() {
		for (int i = 0; i < 10; i++) {
			this.world.append(ACME, "a-1", ExpectedVersion.any(), noted());
		}
		CountingDataSource counting = new CountingDataSource(this.world.dataSource());
		LogReader counted = new EventLog(counting, SCHEMA, EventJson.mapper()).reader(0);
		assertThat(counted.next(5)).hasSize(5);
		assertThat(counted.next(100)).hasSize(5);
		assertThat(counted.next(100)).isEmpty();
		assertThat(counting.statements()).isEqualTo(3);
	}

	@Test
	void neverReadsTheWholeTableThoughThePlannerThinksItSmall() {
		this.world.jdbc().execute("alter table %s set (autovacuum_enabled = false)".formatted(SCHEMA.table("events")));
		for (int i = 0; i < 20; i++) {
			assertThat(this.reader.next(1_000)).isEmpty(); // its plan is kept
		}
		for (int i = 1; i <= 100; i++) {
			this.world.append(ACME, "a-" + i, ExpectedVersion.any(), noted(), noted(), noted());
			assertThat(this.reader.next(1_000)).hasSize(3);
		}
		// a session tells what it has scanned once it is idle for a while
		await().until(() -> scans("idx_scan") >= 100);
		// the creation of each index has scanned the table when it had no row
		assertThat(scans("seq_tup_read")).isZero();
	}

	private long scans(String kind) {
		Long scans = this.world.jdbc()
			.queryForObject("select %s from pg_stat_user_tables where relid = '%s'::regclass".formatted(kind,
					SCHEMA.table("events")), Long.class);
		return (scans != null) ? scans : 0;
	}

	@Test
	void endsAPageWithTheEventThatReachesTheBytes() {
		String large = "x".repeat(500_000);
		this.world.append(ACME, "a-1", ExpectedVersion.any(), noted(large), noted(large), noted(large), noted(large),
				noted(large), noted(), noted(), noted());
		assertThat(this.reader.next(500, 1_100_000)).extracting(StoredEvent::position).containsExactly(1L, 2L, 3L);
		assertThat(this.reader.next(500, 1)).as("at least one").extracting(StoredEvent::position).containsExactly(4L);
		assertThat(this.reader.position()).as("not past what was cut off").isEqualTo(4);
		List<StoredEvent> rest = new ArrayList<>(this.reader.next(500, 1_100_000));
		assertThat(this.reader.isBlocked()).isFalse();
		rest.addAll(this.reader.next(500, 1_100_000));
		assertThat(rest).extracting(StoredEvent::position).containsExactly(5L, 6L, 7L, 8L);
		assertThat(this.reader.next(500, 1_100_000)).isEmpty();
	}

	/** A few bytes of jsonb are hundreds of digits. */
	@Test
	void countsTheDigitsOfANumberAsTheyArePrinted() {
		for (int event = 1; event <= 5; event++) {
			this.world.append(ACME, "a-1", ExpectedVersion.any(), numbers(600));
		}
		assertThat(this.world.count("select max(pg_column_size(payload)) from eventing.events")).isLessThan(20_000);
		assertThat(this.reader.next(500, 1_100_000)).extracting(StoredEvent::position).containsExactly(1L, 2L, 3L);
		assertThat(this.reader.next(500, 1_100_000)).extracting(StoredEvent::position).containsExactly(4L, 5L);
	}

	@Test
	void doesNotTakeThePlaceWhereAPageWasCutForTheEndOfWhatIsSettled() {
		String large = "x".repeat(100_000);
		rolledBackAppend();
		this.world.append(ACME, "a-1", ExpectedVersion.any(), noted(), noted(), noted(), noted());
		this.world.append(ACME, "a-1", ExpectedVersion.any(), noted(large), noted(large), noted(large), noted(large));
		assertThat(this.reader.next(2, 120_000)).as("settles all of it").hasSize(2);
		assertThat(this.reader.next(100, 120_000)).extracting(StoredEvent::position).containsExactly(4L, 5L, 6L, 7L);
		assertThat(this.reader.next(100, 120_000)).extracting(StoredEvent::position).containsExactly(8L, 9L);
	}

	@Test
	void settlesAHistoryFullOfHolesAtOnce() {
		for (int i = 0; i < 50; i++) {
			rolledBackAppend();
			this.world.append(ACME, "a-1", ExpectedVersion.any(), noted());
		}
		CountingDataSource counting = new CountingDataSource(this.world.dataSource());
		LogReader counted = new EventLog(counting, SCHEMA, EventJson.mapper()).reader(0);
		assertThat(counted.next(20)).hasSize(20);
		assertThat(counting.statements()).as("page, check of the sequence, sequence, locks, page").isEqualTo(5);
		assertThat(counted.next(20)).hasSize(20);
		assertThat(counted.next(20)).hasSize(10);
		assertThat(counting.statements()).isEqualTo(7);
	}

	@Test
	void goesPastPositionsThatWereRolledBack() {
		this.world.append(ACME, "a-1", ExpectedVersion.any(), noted());
		rolledBackAppend();
		rolledBackAppend();
		this.world.append(ACME, "a-1", ExpectedVersion.any(), noted());
		rolledBackAppend();
		assertThat(this.reader.next(10)).extracting(StoredEvent::position).containsExactly(1L, 4L);
		assertThat(this.reader.isBlocked()).isFalse();
		assertThat(this.reader.position()).as("also past the hole at the end, which is known to be dead").isEqualTo(5);
	}

	@Test
	void seesWhatWasCommittedAfterTheCallersTransactionTookItsSnapshot() {
		TransactionTemplate repeatable = this.world.transaction();
		repeatable.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		repeatable.executeWithoutResult((status) -> {
			assertThat(this.world.count("select count(*) from eventing.events")).isZero();
			OpenAppend other = OpenAppend.in(this.world);
			other.append("a-1");
			other.commit();
			assertThat(this.world.count("select count(*) from eventing.events")).isZero();
			assertThat(this.reader.next(10)).hasSize(1);
		});
	}

	@Test
	void readsWithAPoolOfOneConnectionThatDoesNotCommitByItself() {
		rolledBackAppend();
		this.world.append(ACME, "a-1", ExpectedVersion.any(), noted());
		try (HikariDataSource one = new HikariDataSource()) {
			one.setJdbcUrl(this.world.url());
			one.setMaximumPoolSize(1);
			one.setAutoCommit(false);
			one.setConnectionTimeout(30_000);
			EventLog log = new EventLog(one, SCHEMA, EventJson.mapper());
			assertThat(log.reader(0).next(10)).hasSize(1);
			log.readAll(0, 10).forEach((event) -> assertThat(log.find(event.position())).isPresent());
			assertThat(this.world.count("select count(*) from pg_stat_activity where state = 'idle in transaction'"))
				.isZero();
		}
	}

	@Test
	void streamsAllThatIsFinalPageByPage() {
		this.world.append(ACME, "a-1", ExpectedVersion.any(),
				IntStream.range(0, 1_200).mapToObj((i) -> noted()).toArray(NewEvent[]::new));
		CountingDataSource counting = new CountingDataSource(this.world.dataSource());
		EventLog log = new EventLog(counting, SCHEMA, EventJson.mapper());
		try (Stream<StoredEvent> all = log.readAll(0, Long.MAX_VALUE)) {
			assertThat(all.limit(10)).hasSize(10);
		}
		assertThat(counting.statements()).as("pages read for ten events").isEqualTo(1);
		assertThat(log.readAll(0, Long.MAX_VALUE)).hasSize(1_200);
		assertThat(log.readAll(1_100, 50)).hasSize(50).first().extracting(StoredEvent::position).isEqualTo(1_101L);
		assertThat(log.head()).isEqualTo(1_200);
		assertThat(log.find(1_201)).isEmpty();
	}

	@Nested
	class WhileATransactionThatHasAppendedIsOpen {

		private OpenAppend open;

		@BeforeEach
		void begin() {
			this.open = OpenAppend.in(LogReaderIT.this.world);
		}

		@AfterEach
		void end() {
			this.open.close();
		}

		@Test
		void waitsForItsEventAndThenGivesAllInOrder() {
			LogReader reader = LogReaderIT.this.reader;
			LogReaderIT.this.world.append(ACME, "a-1", ExpectedVersion.any(), noted());
			this.open.append("b-1");
			LogReaderIT.this.world.append(ACME, "a-1", ExpectedVersion.any(), noted());
			assertThat(reader.next(10)).extracting(StoredEvent::position).containsExactly(1L);
			assertThat(reader.isBlocked()).isTrue();
			assertThat(reader.next(10)).isEmpty();
			assertThat(reader.isBlocked()).isTrue();
			assertThat(reader.position()).isEqualTo(1);
			this.open.commit();
			assertThat(reader.next(10)).extracting(StoredEvent::position).containsExactly(2L, 3L);
			assertThat(reader.isBlocked()).isFalse();
		}

		@Test
		void looksAtTheLocksOnceForAllReadersThatWait() {
			LogReaderIT.this.world.append(ACME, "a-1", ExpectedVersion.any(), noted());
			this.open.append("b-1");
			LogReaderIT.this.world.append(ACME, "a-1", ExpectedVersion.any(), noted());
			CountingDataSource counting = new CountingDataSource(LogReaderIT.this.world.dataSource());
			EventLog log = new EventLog(counting, SCHEMA, EventJson.mapper());
			List<LogReader> readers = Stream.generate(() -> log.reader(0)).limit(5).toList();
			readers.forEach((reader) -> assertThat(reader.next(10)).hasSize(1));
			readers.forEach((reader) -> assertThat(reader.next(10)).isEmpty());
			int before = counting.statements();
			for (int round = 0; round < 10; round++) {
				readers.forEach((reader) -> assertThat(reader.next(10)).isEmpty());
				assertThat(readers).allMatch(LogReader::isBlocked);
			}
			assertThat(counting.statements() - before).as("one a round").isLessThanOrEqualTo(11);
			this.open.commit();
			readers.forEach((reader) -> await().untilAsserted(
					() -> assertThat(reader.next(10)).extracting(StoredEvent::position).containsExactly(2L, 3L)));
		}

		@Test
		void readsWhatWasCommittedJustBeforeItLookedAtTheLocksThoughOthersStayOpen() {
			CountingDataSource counting = new CountingDataSource(LogReaderIT.this.world.dataSource());
			LogReader reader = new EventLog(counting, SCHEMA, EventJson.mapper()).reader(0);
			LogReaderIT.this.world.append(ACME, "a-1", ExpectedVersion.any(), noted());
			this.open.append("b-1");
			try (OpenAppend another = OpenAppend.in(LogReaderIT.this.world)) {
				another.append("c-1");
				LogReaderIT.this.world.append(ACME, "a-1", ExpectedVersion.any(), noted());
				counting.beforeLocks(this.open::commit);
				assertThat(reader.next(10)).extracting(StoredEvent::position).containsExactly(1L);
				assertThat(reader.next(10)).extracting(StoredEvent::position).containsExactly(2L);
				assertThat(reader.next(10)).isEmpty();
				assertThat(reader.next(10)).isEmpty();
				another.commit();
				assertThat(reader.next(10)).extracting(StoredEvent::position).containsExactly(3L, 4L);
			}
		}

		@Test
		void looksAgainAfterALookThatFailed() {
			CountingDataSource counting = new CountingDataSource(LogReaderIT.this.world.dataSource());
			LogReader reader = new EventLog(counting, SCHEMA, EventJson.mapper()).reader(0);
			this.open.append("b-1");
			LogReaderIT.this.world.append(ACME, "a-1", ExpectedVersion.any(), noted());
			assertThat(reader.next(10)).isEmpty();
			assertThat(reader.next(10)).isEmpty();
			counting.beforeLocks(() -> {
				throw new IllegalStateException("away");
			});
			assertThatIllegalStateException().isThrownBy(() -> reader.next(10));
			assertThat(reader.next(10)).isEmpty();
			this.open.commit();
			assertThat(reader.next(10)).extracting(StoredEvent::position).containsExactly(1L, 2L);
		}

		@Test
		void waitsForNobodyWhoBeganLater() {
			LogReader reader = LogReaderIT.this.reader;
			this.open.append("b-1");
			LogReaderIT.this.world.append(ACME, "a-1", ExpectedVersion.any(), noted());
			assertThat(reader.next(10)).isEmpty();
			try (OpenAppend later = OpenAppend.in(LogReaderIT.this.world)) {
				later.append("c-1");
				this.open.rollBack();
				assertThat(reader.next(10)).extracting(StoredEvent::position).containsExactly(2L);
			}
		}

		@Test
		void doesNotWaitForOneThatRolledBackToASavepointBeforeItsAppend() {
			LogReader reader = LogReaderIT.this.reader;
			this.open.execute("savepoint before_append");
			this.open.append("b-1");
			LogReaderIT.this.world.append(ACME, "a-1", ExpectedVersion.any(), noted());
			assertThat(reader.next(10)).isEmpty();
			this.open.execute("rollback to savepoint before_append");
			assertThat(reader.next(10)).extracting(StoredEvent::position).containsExactly(2L);
		}

		@Test
		void goesOnBehindAHoleThatIsKnownToBeDead() {
			LogReader reader = LogReaderIT.this.reader;
			LogReaderIT.this.world.append(ACME, "a-1", ExpectedVersion.any(), noted());
			rolledBackAppend();
			LogReaderIT.this.world.append(ACME, "a-1", ExpectedVersion.any(), noted());
			rolledBackAppend();
			assertThat(reader.next(2)).extracting(StoredEvent::position).containsExactly(1L, 3L);
			LogReaderIT.this.world.append(ACME, "a-1", ExpectedVersion.any(), noted());
			this.open.append("b-1");
			assertThat(reader.next(10)).extracting(StoredEvent::position).containsExactly(5L);
		}

		@Test
		void neverBlocksAtTheEndOfTheLog() {
			LogReaderIT.this.world.append(ACME, "a-1", ExpectedVersion.any(), noted());
			this.open.append("b-1");
			assertThat(LogReaderIT.this.reader.next(10)).hasSize(1);
			assertThat(LogReaderIT.this.reader.isBlocked()).isFalse();
			assertThat(LogReaderIT.this.world.log().head()).isEqualTo(1);
			assertThat(LogReaderIT.this.world.log().drawn()).isEqualTo(2);
		}

	}

	@Test
	void waitsForAPreparedTransactionAlsoAfterARestartThatGivesItAnotherName() {
		try (PostgresServer server = PostgresServer.start(Map.of("max_prepared_transactions", "5"));
				StoreWorld prepared = StoreWorld.on(server.createDatabase());
				OpenAppend open = OpenAppend.in(prepared)) {
			LogReader reader = prepared.log().reader(0);
			open.append("b-1");
			prepared.append(ACME, "a-1", ExpectedVersion.any(), noted());
			assertThat(reader.next(10)).isEmpty();
			open.execute("prepare transaction 'one'");
			assertThat(reader.next(10)).isEmpty();
			server.restart();
			await().ignoreExceptions().until(() -> prepared.log().head() == 2);
			await().ignoreExceptions().until(() -> reader.next(10).isEmpty());
			assertThat(reader.next(10)).isEmpty();
			prepared.jdbc().execute("commit prepared 'one'");
			assertThat(reader.next(10)).extracting(StoredEvent::position).containsExactly(1L, 2L);
		}
	}

	@Nested
	class WherePositionsAreNotDrawnOneByOne {

		@Test
		void refusesASequenceWithACache() throws SQLException {
			alter("alter table eventing.events alter column global_position set cache 10");
			assertThatExceptionOfType(UnsafePositionsException.class)
				.isThrownBy(() -> LogReaderIT.this.world.log().drawn())
				.withMessageContaining("cache 10")
				.withMessageContaining("Consider");
		}

		@Test
		void refusesAColumnThatIsNoIdentity() throws SQLException {
			alter("alter table eventing.events alter column global_position drop identity");
			assertThatExceptionOfType(UnsafePositionsException.class)
				.isThrownBy(() -> LogReaderIT.this.world.log().drawn())
				.withMessageContaining("global_position");
		}

		private void alter(String sql) throws SQLException {
			try (Connection connection = LogReaderIT.this.world.dataSource().getConnection();
					Statement statement = connection.createStatement()) {
				statement.execute(sql);
			}
		}

	}

	private void rolledBackAppend() {
		this.world.transaction().executeWithoutResult((status) -> {
			this.world.store().append(ACME, "a-1", ExpectedVersion.any(), List.of(noted()));
			status.setRollbackOnly();
		});
	}

	private static NewEvent noted() {
		return noted("n");
	}

	private static NewEvent noted(String text) {
		return NewEvent.of(new Noted(text));
	}

	private static NewEvent numbers(int count) {
		String json = "[" + "1e900,".repeat(count) + "1]";
		return NewEvent.of(UnboundPayload.of(json.getBytes(UTF_8), EventJson.mapper())).withType("numbers");
	}

	record Noted(String text) {
	}

}
