package dev.eventing.sdk.projection;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import javax.sql.DataSource;

import dev.eventing.sdk.fixture.Fixture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.StatementCallback;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** The SQL function on which reconciliations rest, over rows as projectors leave them. */
class AppliedEventsIT {

	private static final int EVENTS = 10;

	/** Every second of 2,000 events has one; statistics know of none. */
	private static final String MANY_LETTERS = """
			analyze eventing.events, eventing.dead_letters, eventing.processed_events;
			insert into eventing.events (global_position, event_id, tenant_id, stream_id, stream_version, event_type,
			                             occurred_at, payload, metadata)
			overriding system value
			select 1000 + n, md5(n::text)::uuid, 'acme', 'many', n, 't', now(), '{"amount": 1}', '{}'
			  from generate_series(1, 2000) n;
			insert into eventing.dead_letters (letter_id, projector_name, tenant_id, event_id, subject, headers, payload, stream,
			                                   stream_sequence, published_at, reason, attempts, first_failed_at)
			select gen_random_uuid(), 'p', 'acme', event_id, 's', '{}', '', 'event-store', global_position, now(), 'r', 1, now()
			  from eventing.events where stream_version % 2 = 0;
			insert into eventing.processed_events (projector_name, event_id, tenant_id)
			select 'p', event_id, tenant_id from eventing.events where stream_version % 2 = 1;
			insert into eventing.projector_checkpoints (projector_name, position)
			select 'p', max(global_position) - 200 from eventing.events""";

	/** So the one stream is few of the events, and statistics know it. */
	private static final String MANY_STREAMS = """
			insert into eventing.events (global_position, event_id, tenant_id, stream_id, stream_version, event_type,
			                             occurred_at, payload, metadata)
			overriding system value
			select 1000 + n, md5(n::text)::uuid, 'acme', 'other-' || n % 200, n, 't', now(), '{"amount": 1}', '{}'
			  from generate_series(1, 2000) n;
			analyze eventing.events""";

	@RegisterExtension
	static final Fixture FIXTURE = new Fixture();

	private static DataSource dataSource;

	private static JdbcTemplate jdbc;

	@BeforeAll
	static void createDatabase() {
		dataSource = FIXTURE.dataSource();
		jdbc = FIXTURE.jdbc();
	}

	@BeforeEach
	void addEvents() {
		jdbc.execute("""
				truncate eventing.events, eventing.projector_checkpoints, eventing.projector_beginnings,
				         eventing.processed_events, eventing.dead_letters, eventing.projections,
				         eventing.projection_claims cascade""");
		for (int position = 1; position <= EVENTS; position++) {
			jdbc.update(
					"""
							insert into eventing.events (global_position, event_id, tenant_id, stream_id, stream_version, event_type,
							                             occurred_at, payload, metadata)
							overriding system value
							values (?, ?::uuid, 'acme', 's', ?, 't', now(), '{"amount": 1}', '{}')""",
					position, id(position), position);
		}
	}

	@Test
	void areNoneOfAProjectorThatHasNoCheckpoint() {
		claim("p", 1);
		assertThat(applied("p")).isEmpty();
	}

	@Test
	void areThoseUpToTheLatestCheckpoint() {
		checkpoint(0, 9);
		checkpoint(1, 3);
		assertThat(applied("p")).containsExactly(1L, 2L, 3L);
		assertThat(applied("other")).isEmpty();
	}

	@Test
	void areAlsoLaterOnesThatTheProjectorHasClaimed() {
		checkpoint(0, 3);
		claim("p", 5);
		claim("p", 7);
		claim("other", 8);
		jdbc.update(
				"insert into eventing.processed_events (projector_name, event_id, tenant_id) values ('p', ?::uuid, 'b')",
				id(9));
		assertThat(applied("p")).containsExactly(1L, 2L, 3L, 5L, 7L);
	}

	@Test
	void areNotThoseWithAnOpenOrADiscardedLetter() {
		checkpoint(0, 6);
		letter("p", "acme", 1, "PARKED");
		letter("p", "acme", 2, "REDRIVING");
		letter("p", "acme", 3, "DISCARDED");
		letter("p", "acme", 4, "RESOLVED");
		letter("other", "acme", 5, "PARKED");
		letter("p", "b", 6, "PARKED");
		claim("p", 8);
		letter("p", "acme", 8, "DISCARDED");
		claim("p", 9);
		assertThat(applied("p")).containsExactly(4L, 5L, 6L, 9L);
	}

	/** A row of the store that cannot be read has a letter that knows its place only. */
	@Test
	void areNotThoseWhoseLetterHasNoTenant() {
		checkpoint(0, 3);
		letter("p", "", 2, "PARKED");
		jdbc.update("update eventing.dead_letters set event_id = gen_random_uuid()");
		assertThat(applied("p")).containsExactly(1L, 3L);
	}

	@Test
	void areNotThoseBeforeTheBeginning() {
		checkpoint(0, 6);
		jdbc.update("insert into eventing.projector_beginnings values ('p', 4)");
		assertThat(applied("p")).containsExactly(5L, 6L);
	}

	@Test
	void haveThePayloadThatAnOperatorGaveThem() {
		checkpoint(0, 3);
		letter("p", "acme", 2, "RESOLVED");
		letter("p", "acme", 3, "RESOLVED");
		jdbc.update("update eventing.dead_letters set edited_payload = ? where stream_sequence = 2",
				"{\"amount\": 7}".getBytes(StandardCharsets.UTF_8));
		assertThat(jdbc.queryForList("""
				select (payload->>'amount')::bigint from eventing.applied_events('p') order by global_position""",
				Long.class))
			.containsExactly(1L, 7L, 1L);
	}

	/** Events that the live generation has by claims, or not at all, are not counted. */
	@Test
	void areThoseOfAGenerationBesideTheLiveOneIfThatIsMeant() {
		checkpoint(0, 9);
		jdbc.update("insert into eventing.projector_checkpoints (projector_name, position) values ('p#2', 7)");
		letter("p", "acme", 1, "PARKED");
		letter("p", "acme", 2, "DISCARDED");
		letter("p", "acme", 3, "RESOLVED");
		jdbc.update("update eventing.dead_letters set edited_payload = ? where stream_sequence = 3",
				"{\"amount\": 7}".getBytes(StandardCharsets.UTF_8));
		letter("p#2", "acme", 4, "PARKED");
		letter("p", "", 5, "DISCARDED");
		letter("p#2", "", 6, "PARKED");
		claim("p", 10);
		assertThat(besides("p")).containsExactly("1 1", "3 7", "7 1");
		assertThat(besides("other")).isEmpty();
		assertThat(applied("p")).containsExactly(3L, 4L, 6L, 7L, 8L, 9L, 10L);
	}

	/** Its checkpoint is a sequence of the stream. Each of its events has a claim. */
	@Test
	void areThoseThatAGenerationHasClaimedIfItIsFedFromAStream() {
		checkpoint(0, 9);
		jdbc.update("insert into eventing.projector_checkpoints (projector_name, position) values ('p#2', 3)");
		jdbc.update("""
				insert into eventing.projections (projection_name, generation, status, definition, version, stream)
				values ('p', 2, 'READY', '', 1, 'any'), ('p', 1, 'LIVE', '', 1, null)""");
		for (int position : new int[] { 1, 2, 5, 6, 7, 8 }) {
			claimBeside("p", 2, position);
		}
		claimBeside("p", 1, 9);
		claimBeside("q", 2, 9);
		claim("p", 10);
		letter("p", "acme", 1, "PARKED");
		letter("p", "acme", 2, "DISCARDED");
		letter("p#2", "acme", 5, "PARKED");
		letter("p", "acme", 6, "RESOLVED");
		jdbc.update("update eventing.dead_letters set edited_payload = ? where stream_sequence = 6",
				"{\"amount\": 7}".getBytes(StandardCharsets.UTF_8));
		assertThat(besides("p")).containsExactly("1 1", "6 7", "7 1", "8 1");
		assertThat(besides("q")).isEmpty();
	}

	/**
	 * Each of them was compared with each event, and a check took longer than it may.
	 */
	@Test
	void areTakenApartByAnIndexOrAHashFromLettersThatStatisticsDoNotKnowOf() {
		String plan = inTransaction(MANY_LETTERS, "explain (analyze, timing off, costs off)"
				+ " select sum((payload->>'amount')::bigint) from eventing.applied_events('p')");
		assertThat(plan).contains("dead_letters");
		assertThat(Pattern.compile("Removed by Join Filter: (\\d+)").matcher(plan).results())
			.allSatisfy((removed) -> assertThat(Long.parseLong(removed.group(1))).isLessThan(2000));
	}

	private static String inTransaction(String statements, String query) {
		return new TransactionTemplate(new JdbcTransactionManager(dataSource)).execute((transaction) -> {
			transaction.setRollbackOnly();
			jdbc.execute(statements);
			return String.join("\n", jdbc.queryForList(query, String.class));
		});
	}

	private static List<String> besides(String projector) {
		return jdbc.execute((StatementCallback<List<String>>) (statement) -> {
			statement.execute("set eventing.generation = 'p#2'");
			List<String> found = new ArrayList<>();
			try (ResultSet rows = statement.executeQuery("select global_position || ' ' || (payload->>'amount')"
					+ " from eventing.applied_events('" + projector + "') order by global_position")) {
				while (rows.next()) {
					found.add(rows.getString(1));
				}
			}
			statement.execute("reset eventing.generation");
			return found;
		});
	}

	/** Else a check of one stream would read all events. */
	@Test
	void areFoundByTheConditionsOfTheQuery() {
		checkpoint(0, 9);
		jdbc.execute(MANY_STREAMS);
		jdbc.execute((StatementCallback<Boolean>) (statement) -> {
			statement.execute("set enable_seqscan to off");
			List<String> plan = new ArrayList<>();
			try (ResultSet rows = statement.executeQuery("""
					explain select * from eventing.applied_events('p')
					 where tenant_id = 'acme' and stream_id = 's'""")) {
				while (rows.next()) {
					plan.add(rows.getString(1));
				}
			}
			statement.execute("reset enable_seqscan");
			assertThat(String.join("\n", plan)).doesNotContain("Function Scan").contains("events_stream");
			return true;
		});
	}

	private static List<Long> applied(String projector) {
		return jdbc.queryForList("select global_position from eventing.applied_events(?) order by 1", Long.class,
				projector);
	}

	private static void checkpoint(long revision, long position) {
		jdbc.update(
				"insert into eventing.projector_checkpoints (projector_name, revision, position) values ('p', ?, ?)",
				revision, position);
	}

	private static void claim(String projector, int position) {
		jdbc.update("""
				insert into eventing.processed_events (projector_name, event_id, tenant_id)
				values (?, ?::uuid, 'acme')""", projector, id(position));
	}

	private static void claimBeside(String projector, int generation, int position) {
		jdbc.update("insert into eventing.projection_claims values (?, ?, ?::uuid, 'acme')", projector, generation,
				id(position));
	}

	private static void letter(String projector, String tenant, int position, String status) {
		jdbc.update(
				"""
						insert into eventing.dead_letters (letter_id, projector_name, tenant_id, event_id, subject, headers, payload,
						                                   stream, stream_sequence, published_at, reason, attempts, first_failed_at,
						                                   status)
						values (gen_random_uuid(), ?, ?, ?::uuid, 's', '{}', '', 'event-store', ?, now(), 'r', 1, now(), ?)""",
				projector, tenant, id(position), position, status);
	}

	private static String id(int position) {
		return "00000000-0000-7000-8000-%012d".formatted(position);
	}

}
