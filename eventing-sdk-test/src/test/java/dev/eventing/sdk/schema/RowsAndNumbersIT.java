package dev.eventing.sdk.schema;

import java.util.List;
import java.util.UUID;

import javax.sql.DataSource;

import dev.eventing.sdk.test.server.TestServers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The start refuses tables that number new rows out of order, as after logical
 * replication, and tables that hide rows from the application's role.
 */
class RowsAndNumbersIT {

	private static final String LETTER = """
			insert into eventing.dead_letters (letter_id, projector_name, event_id, subject, headers, payload, stream,
			                                   stream_sequence, published_at, reason, attempts, first_failed_at)
			values (gen_random_uuid(), 'p', gen_random_uuid(), 's', '{}', '', 'S', 1, now(), 'R', 1, now())""";

	private final String url = TestServers.postgres().createDatabase();

	private final DataSource dataSource = TestServers.postgres().dataSource(this.url);

	private final JdbcTemplate jdbc = new JdbcTemplate(this.dataSource);

	private final String role = "app_" + UUID.randomUUID().toString().substring(0, 8);

	@BeforeEach
	void createTables() {
		initialize(this.dataSource, SchemaMode.MIGRATE);
		this.jdbc.execute("create role " + this.role + " login; grant usage on schema eventing to " + this.role
				+ "; grant all on all tables in schema eventing to " + this.role
				+ "; grant usage, select on all sequences in schema eventing to " + this.role);
	}

	@AfterEach
	void dropDatabase() {
		TestServers.postgres().dropDatabase(this.url);
		new JdbcTemplate(TestServers.postgres().dataSource(TestServers.postgres().jdbcUrl()))
			.execute("drop role " + this.role);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					dead_letters        | letter_number | %s
					dead_letter_audit   | audit_id      | with l as (%s returning letter_id) insert into eventing.dead_letter_audit (letter_id, actor, action) select letter_id, 'a', 'b' from l
					projection_audit    | audit_id      | insert into eventing.projection_audit (projection_name, actor, action) values ('p', 'a', 'b')
					""")
	void refusesASequenceThatBeginsAgain(String table, String column, String insert) {
		String sql = insert.formatted(LETTER);
		for (int row = 0; row < 3; row++) {
			this.jdbc.execute(sql);
		}
		assertThatCode(() -> initialize(this.dataSource, SchemaMode.VALIDATE)).doesNotThrowAnyException();
		String sequence = this.jdbc.queryForObject("select pg_get_serial_sequence(?, ?)", String.class,
				"eventing." + table, column);
		this.jdbc.execute("alter sequence " + sequence + " restart");
		assertThatExceptionOfType(SchemaNotReadyException.class)
			.isThrownBy(() -> initialize(this.dataSource, SchemaMode.MIGRATE))
			.withMessageStartingWith("Schema 'eventing' cannot be used: sequence '")
			.withMessageContaining(
					"'" + table + "." + column + "' goes up to 3, so numbers would begin again. Consider")
			.satisfies((ex) -> this.jdbc.execute(statement(ex)));
		assertThatCode(() -> initialize(this.dataSource, SchemaMode.VALIDATE)).doesNotThrowAnyException();
		this.jdbc.execute(sql);
		assertThat(this.jdbc.queryForObject("select max(%s) from eventing.%s".formatted(column, table), Long.class))
			.isEqualTo(4);
	}

	@Test
	void refusesASequenceThatGoesDownOrInCircles() {
		this.jdbc.execute("alter table eventing.dead_letters alter letter_number set cycle");
		this.jdbc
			.execute("alter table eventing.dead_letter_audit alter audit_id set increment -1 set minvalue -9 restart");
		assertThatExceptionOfType(SchemaNotReadyException.class)
			.isThrownBy(() -> initialize(this.dataSource, SchemaMode.VALIDATE))
			.satisfies((ex) -> assertThat(ex.problems()).hasSize(2)
				.anyMatch((problem) -> problem.contains("has increment -1, so later numbers may be lower."))
				.anyMatch((problem) -> problem.contains("has increment 1 and cycles")));
	}

	/** The sequence is set back while applications run: nothing is numbered twice. */
	@Test
	void givesNoLetterANumberThatAnotherHas() {
		this.jdbc.execute(LETTER);
		this.jdbc.execute("alter table eventing.dead_letters alter letter_number restart");
		assertThatExceptionOfType(DuplicateKeyException.class).isThrownBy(() -> this.jdbc.execute(LETTER))
			.withMessageContaining("dead_letters_number");
	}

	@Test
	void leavesOutASequenceThatTheRoleMayNotLookAt() {
		this.jdbc.execute(LETTER);
		this.jdbc.execute("alter table eventing.dead_letters alter letter_number restart; "
				+ "revoke all on all sequences in schema eventing from " + this.role);
		assertThatCode(() -> initialize(asRole(), SchemaMode.VALIDATE)).doesNotThrowAnyException();
	}

	/** They may share the schema, have any sequences, and numbers of their own. */
	@Test
	void leavesTheTablesOfTheApplicationAlone() {
		this.jdbc.execute("""
				create table eventing.invoice (id bigint generated by default as identity (cache 20) primary key);
				insert into eventing.invoice values (1000);
				create table eventing."Booking" (id serial primary key, "Number" bigserial);
				alter sequence eventing."Booking_Number_seq" increment -1 minvalue -9 start -1 restart;
				insert into eventing."Booking" (id) values (7)""");
		assertThatCode(() -> initialize(this.dataSource, SchemaMode.VALIDATE)).doesNotThrowAnyException();
	}

	@Test
	void refusesTablesWhoseRowsAreHiddenAndTakesEitherOfTheStatements() {
		assertThatCode(() -> initialize(asRole(), SchemaMode.VALIDATE)).doesNotThrowAnyException();
		for (String table : List.of("events", "processed_events", "dead_letters")) {
			this.jdbc
				.execute("alter table eventing." + table + " enable row level security; create policy own on eventing."
						+ table + " using (tenant_id = current_user)");
		}
		assertThatCode(() -> initialize(this.dataSource, SchemaMode.VALIDATE)).doesNotThrowAnyException();
		assertThatExceptionOfType(SchemaNotReadyException.class)
			.isThrownBy(() -> initialize(asRole(), SchemaMode.VALIDATE))
			.withMessageStartingWith("Schema 'eventing' cannot be used: row level security may hide rows of ")
			.satisfies((ex) -> assertThat(ex.problems()).hasSize(3))
			.satisfies((ex) -> ex.problems().forEach((problem) -> this.jdbc.execute(policy(problem))));
		assertThatCode(() -> initialize(asRole(), SchemaMode.VALIDATE)).doesNotThrowAnyException();
		this.jdbc.execute("create policy less on eventing.events as restrictive using (stream_version > 1)");
		assertThatExceptionOfType(SchemaNotReadyException.class)
			.isThrownBy(() -> initialize(asRole(), SchemaMode.VALIDATE))
			.withMessageContaining("alter role \"" + this.role + "\" bypassrls");
		this.jdbc.execute("alter role \"" + this.role + "\" bypassrls");
		assertThatCode(() -> initialize(asRole(), SchemaMode.VALIDATE)).doesNotThrowAnyException();
	}

	/** The owner sees all rows unless security is forced. */
	@Test
	void refusesTheOwnersOwnTablesWhereSecurityIsForced() {
		this.jdbc.execute("alter table eventing.events owner to " + this.role
				+ "; alter table eventing.events enable row level security");
		assertThatCode(() -> initialize(asRole(), SchemaMode.VALIDATE)).doesNotThrowAnyException();
		this.jdbc.execute("alter table eventing.events force row level security");
		assertThatExceptionOfType(SchemaNotReadyException.class)
			.isThrownBy(() -> initialize(asRole(), SchemaMode.VALIDATE))
			.withMessageContaining("\"eventing\".\"events\"");
	}

	private DataSource asRole() {
		return TestServers.postgres().dataSource(this.url.replace("user=postgres", "user=" + this.role));
	}

	private static String statement(SchemaNotReadyException refusal) {
		return refusal.problems().get(0).replaceAll(".*\"(select setval\\(.*\\))\"$", "$1");
	}

	private static String policy(String problem) {
		return problem.replaceAll(".*'(create policy .*)'$", "$1");
	}

	private static void initialize(DataSource dataSource, SchemaMode mode) {
		new SchemaInitializer(dataSource, EventingSchema.defaults(), mode).initialize();
	}

}
