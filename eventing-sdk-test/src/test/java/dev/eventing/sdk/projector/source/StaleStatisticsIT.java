package dev.eventing.sdk.projector.source;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import dev.eventing.sdk.deadletter.ledger.RebuiltLetters;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.idempotency.ClaimDifferences;
import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.projection.ledger.SourceStream;
import dev.eventing.sdk.projector.transaction.FillingClaims;
import dev.eventing.sdk.schema.EventingSchema;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Look-ups of a projector whose rows came after PostgreSQL last analyzed the tables: it
 * expects one row of it, where there are thousands. Autovacuum analyzes a table only
 * after a tenth of its rows has changed.
 */
class StaleStatisticsIT {

	private static final EventingSchema SCHEMA = EventingSchema.defaults();

	private static final ProjectorId TOTALS = ProjectorId.of("totals");

	private static final int CLAIMS = 20_000;

	private static final int LETTERS = 300;

	/** Of the projector of which statistics know nothing. */
	private static final String SETUP = """
			alter table eventing.processed_events set (autovacuum_enabled = off);
			alter table eventing.projection_claims set (autovacuum_enabled = off);
			alter table eventing.dead_letters set (autovacuum_enabled = off);
			insert into eventing.processed_events (projector_name, event_id, tenant_id)
			select 'orders', gen_random_uuid(), 'acme' from generate_series(1, 5000);
			insert into eventing.projection_claims (projection_name, generation, event_id, tenant_id)
			select 'totals', 2, gen_random_uuid(), 'acme' from generate_series(1, 20000);
			insert into eventing.projections (projection_name, generation, status, definition, version)
			values ('totals', 1, 'LIVE', '', 1), ('totals', 2, 'STANDBY', '', 1);
			insert into eventing.events (event_id, tenant_id, stream_id, stream_version, event_type, occurred_at, payload,
			                             metadata)
			values (md5('1')::uuid, 'acme', 's', 1, 't', now(), '{}', '{}');
			analyze eventing.processed_events, eventing.projection_claims, eventing.events;
			insert into eventing.dead_letters (letter_id, projector_name, tenant_id, event_id, subject, headers, payload, stream,
			                                   stream_sequence, published_at, reason, attempts, first_failed_at, status)
			select gen_random_uuid(), 'orders', 'acme', gen_random_uuid(), 's', '{}', '', 'event-store', n, now(), 'r', 1, now(),
			       'RESOLVED'
			  from generate_series(1, 5000) n;
			analyze eventing.dead_letters;
			insert into eventing.processed_events (projector_name, event_id, tenant_id)
			select 'totals', md5(n::text)::uuid, 'acme' from generate_series(1, 20000) n;
			insert into eventing.projection_claims (projection_name, generation, event_id, tenant_id)
			select 'totals', 3, md5(n::text)::uuid, 'acme' from generate_series(1, 20000) n;
			insert into eventing.dead_letters (letter_id, projector_name, tenant_id, event_id, subject, headers, payload, stream,
			                                   stream_sequence, published_at, reason, attempts, first_failed_at)
			select gen_random_uuid(), projector, 'acme', md5(n::text)::uuid, 's', '{}', '', 'event-store', n, now(), 'r', 1, now()
			  from generate_series(1, 300) n, unnest(array['totals', 'totals#2']) projector""";

	@RegisterExtension
	static final Fixture FIXTURE = new Fixture();

	private static DataSource dataSource;

	private static JdbcTemplate jdbc;

	@BeforeAll
	static void createDatabase() {
		dataSource = FIXTURE.dataSource();
		jdbc = FIXTURE.jdbc();
		jdbc.execute(SETUP);
	}

	@Test
	void anEventIsSettledWithoutALookAtTheClaimsOfOthers() {
		SettledEvents settled = new SettledEvents(jdbc, SCHEMA, TOTALS);
		assertThat(rowsRead("processed_events", () -> assertThat(settled.has(1)).isTrue())).isLessThan(10);
		assertThat(settled.has(2)).isFalse();
		assertThat(new SettledEvents(jdbc, SCHEMA, ProjectorId.of("orders")).has(1)).isFalse();
		assertThat(new SettledEvents(jdbc, SCHEMA, TOTALS.ofGeneration(2)).has(1)).isTrue(); // a
		// letter
	}

	@Test
	void aGenerationNotesWhatItPassesByWithOneLookupEach() {
		assertThat(rowsRead("processed_events", () -> {
			differences(2).passedBy(events(CLAIMS - 99, CLAIMS + 100));
			assertThat(claims("totals#2")).isEqualTo(100);
		})).isLessThan(1000);
	}

	@Test
	void aSwitchExchangesWhatOnlyOneGenerationShowsWithOneLookupEach() {
		assertThat(rowsRead("processed_events", () -> {
			jdbc.execute("""
					insert into eventing.processed_events (projector_name, event_id, tenant_id)
					select 'totals#2', md5(n::text)::uuid, 'acme' from generate_series(19801, 20100) n""");
			differences(2).exchange(TOTALS.ofGeneration(1));
		})).isLessThan(3000);
		rolledBack(() -> {
			differences(2).passedBy(events(1, 200));
			jdbc.execute("insert into eventing.processed_events (projector_name, event_id, tenant_id) "
					+ "values ('totals#2', gen_random_uuid(), 'acme')");
			differences(2).exchange(TOTALS.ofGeneration(1));
			assertThat(claims("totals")).isEqualTo(CLAIMS - 200 + 1);
			assertThat(claims("totals#1")).isEqualTo(201);
		});
	}

	@Test
	void aSwitchExchangesLettersWithOneLookupEach() {
		RebuiltLetters letters = new RebuiltLetters(jdbc, SCHEMA, TOTALS);
		assertThat(rowsRead("processed_events", () -> letters.exchange(TOTALS.ofGeneration(1), TOTALS.ofGeneration(2))))
			.isLessThan(3000);
		rolledBack(() -> {
			jdbc.execute("delete from eventing.dead_letters where projector_name = 'totals'");
			letters.exchange(TOTALS.ofGeneration(1), TOTALS.ofGeneration(2));
			assertThat(claims("totals")).isEqualTo(CLAIMS - LETTERS);
		});
	}

	@Test
	void aSwitchKeepsWhatOnlyTheFormerGenerationHasAppliedWithOneLookupEach() {
		assertThat(rowsRead("processed_events",
				() -> assertThat(
						FillingClaims.keepAppliedBut(jdbc, SCHEMA, TOTALS.ofGeneration(1), TOTALS.ofGeneration(2)))
					.isEqualTo(LETTERS)))
			.isLessThan(3 * LETTERS);
	}

	@Test
	void lettersOfTwoGenerationsAreComparedOneByOne() {
		RebuiltLetters letters = new RebuiltLetters(jdbc, SCHEMA, TOTALS);
		assertThat(rowsRead("dead_letters", () -> assertThat(letters.missing(TOTALS.ofGeneration(2))).isZero()))
			.isLessThan(3 * LETTERS);
		rolledBack(() -> {
			jdbc.execute("update eventing.dead_letters set status = 'RESOLVED' where projector_name = 'totals'"
					+ " and stream_sequence <= 7");
			jdbc.execute("delete from eventing.dead_letters where projector_name = 'totals' and stream_sequence = 8");
			assertThat(letters.missing(TOTALS.ofGeneration(2))).isEqualTo(8);
		});
	}

	@Test
	void whatOperatorsDecidedIsLookedUpPerEvent() {
		rolledBack(() -> {
			jdbc.execute("update eventing.dead_letters set status = 'DISCARDED' where projector_name = 'totals'"
					+ " and stream_sequence = 3");
			jdbc.execute("update eventing.dead_letters set status = 'RESOLVED', edited_payload = '' "
					+ "where projector_name = 'totals' and stream_sequence = 4");
			assertThat(new RebuiltLetters(jdbc, SCHEMA, TOTALS).decisions(events(1, 5))).containsOnlyKeys(event(3),
					event(4));
		});
		assertThat(rowsRead("dead_letters",
				() -> assertThat(new RebuiltLetters(jdbc, SCHEMA, TOTALS).decisions(events(1, 20))).isEmpty()))
			.isLessThan(50);
	}

	@Test
	void aClaimIsTakenBackWithoutALookAtTheOthersOfItsGeneration() {
		FillingClaims claims = new FillingClaims(jdbc, SCHEMA, TOTALS.ofGeneration(3), TOTALS.ofGeneration(3),
				new SourceStream("S", Instant.EPOCH, null));
		assertThat(rowsRead("projection_claims", () -> {
			claims.unclaim(events(1, 2));
			assertThat(claims.claim(events(2, 3))).containsExactly(event(2));
		})).isLessThan(10);
	}

	/** The start of the live projector waits for it, as long as its time limit. */
	@Test
	void claimsThatAreLeftAreSweptWithoutALookAtThoseOfAGenerationThatIsFed() {
		assertThat(rowsRead("projection_claims", () -> {
			jdbc.execute("delete from eventing.projection_claims where generation = 3");
			jdbc.execute("insert into eventing.projection_claims values ('totals', 1, gen_random_uuid(), 'acme'),"
					+ " ('totals', 7, gen_random_uuid(), 'acme'), ('other', 2, gen_random_uuid(), 'acme')");
		}, () -> {
			assertThat(FillingClaims.sweep(jdbc, SCHEMA, TOTALS)).isEqualTo(2);
			assertThat(FillingClaims.sweep(jdbc, SCHEMA, TOTALS)).isZero();
		})).isLessThan(100);
	}

	/** A node deletes them between requests of all its projectors. */
	@Test
	void whatARetiredGenerationLeavesIsSweptWithoutALookAtOtherRows() {
		List<ProjectorId> gone = List.of(TOTALS.ofGeneration(1), TOTALS.ofGeneration(2));
		assertThat(rowsRead("dead_letters", () -> {
			assertThat(RebuiltLetters.sweep(jdbc, SCHEMA, gone)).isEqualTo(LETTERS);
			assertThat(RebuiltLetters.sweep(jdbc, SCHEMA, gone)).isZero();
		})).isLessThan(3 * LETTERS);
		assertThat(rowsRead("processed_events", () -> jdbc.execute("""
				insert into eventing.processed_events (projector_name, event_id, tenant_id)
				select 'totals#2', gen_random_uuid(), 'acme' from generate_series(1, 100)"""), () -> {
			assertThat(ClaimDifferences.sweep(jdbc, SCHEMA, gone)).isEqualTo(100);
			assertThat(ClaimDifferences.sweep(jdbc, SCHEMA, gone)).isZero();
		})).isLessThan(1000);
	}

	private static ClaimDifferences differences(int generation) {
		return new ClaimDifferences(jdbc, SCHEMA, TOTALS.ofGeneration(generation));
	}

	private static List<EventKey> events(int first, int last) {
		return IntStream.rangeClosed(first, last).mapToObj(StaleStatisticsIT::event).toList();
	}

	private static EventKey event(int number) {
		return new EventKey(TenantId.of("acme"), one("select md5(cast(? as text))::uuid", UUID.class, number));
	}

	private static long claims(String projector) {
		return one("select count(*) from eventing.processed_events where projector_name = ?", Long.class, projector);
	}

	private static <T> T one(String query, Class<T> type, Object argument) {
		return Objects.requireNonNull(jdbc.queryForObject(query, type, argument));
	}

	private static long rowsRead(String table, Runnable work) {
		return rowsRead(table, () -> {
		}, work);
	}

	/**
	 * How many rows of the table the work reads, in a transaction that is rolled back.
	 */
	private static long rowsRead(String table, Runnable before, Runnable work) {
		return Objects
			.requireNonNull(new TransactionTemplate(new JdbcTransactionManager(dataSource)).execute((status) -> {
				status.setRollbackOnly();
				before.run();
				long read = rowsRead(table);
				work.run();
				return rowsRead(table) - read;
			}));
	}

	private static long rowsRead(String table) {
		return one("""
				select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) from pg_stat_xact_user_tables
				 where schemaname = 'eventing' and relname = ?""", Long.class, table);
	}

	private static void rolledBack(Runnable work) {
		rowsRead("processed_events", work);
	}

}
