package dev.eventing.sdk.schema;

import java.util.List;

import javax.sql.DataSource;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** The start names the rights that the application's role lacks. */
class RoleRightsIT extends LimitedRoleSetup {

	private static final String ALL = "grant select, insert, update, delete on table ";

	@BeforeEach
	void isReadyAtFirst() {
		assertThatCode(() -> validate(asRole())).doesNotThrowAnyException();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			usage on schema eventing                    | may not use the schema.
			insert on eventing.processed_events         | lacks the right to insert.
			select, insert on eventing.events           | lacks the right to select, insert.
			select on eventing.erasures                 | lacks the right to select.
			insert, delete on eventing.streams          | lacks the right to insert, delete.
			select on eventing.dead_letters             | lacks the right to select.
			select on eventing.projector_overview       | lacks the right to select.
			all on sequence eventing.events_global_position_seq | lacks the right to select.
			all on sequence eventing.inline_changes     | lacks the right to select.
			""")
	void namesTheRightThatIsMissingAndTheStatementThatGrantsIt(String rights, String problem) {
		this.jdbc.execute("revoke " + rights + " from " + this.role);
		SchemaNotReadyException refusal = refusal();
		assertThat(refusal).hasMessageStartingWith("Schema 'eventing' cannot be used: role " + this.role);
		assertThat(refusal.isUnsafe()).isTrue();
		assertThat(refusal.problems()).singleElement()
			.asString()
			.startsWith("role " + this.role + " " + problem + " Consider 'grant ");
		this.jdbc.execute(statement(refusal.problems().get(0)));
		assertThatCode(() -> validate(asRole())).doesNotThrowAnyException();
	}

	@Test
	void namesAFunctionThatTheRoleMayNotCall() {
		this.jdbc.execute("revoke execute on function eventing.applied_events(text) from public");
		SchemaNotReadyException refusal = refusal();
		assertThat(refusal.problems())
			.containsExactly("role " + this.role + " lacks the right to execute. Consider 'grant execute on function"
					+ " eventing.applied_events(projector text) to " + this.role + "'");
		this.jdbc.execute(statement(refusal.problems().get(0)));
		assertThatCode(() -> validate(asRole())).doesNotThrowAnyException();
	}

	/** As of a role that got nothing: one line for the schema, one for each kind. */
	@Test
	void namesAllRightsAtOnce() {
		this.jdbc.execute("revoke all on all tables in schema eventing from " + this.role
				+ "; revoke usage on schema eventing from " + this.role);
		SchemaNotReadyException refusal = refusal();
		assertThat(refusal.problems()).hasSize(4)
			.anyMatch((problem) -> problem.contains(ALL) && problem.contains("\"eventing\".\"leases\"")
					&& problem.contains("\"eventing\".\"snapshots\""));
		refusal.problems().forEach((problem) -> this.jdbc.execute(statement(problem)));
		assertThatCode(() -> validate(asRole())).doesNotThrowAnyException();
	}

	/** Only an erasure changes events, and it may have another role. */
	@Test
	void needsNoRightToChangeEvents() {
		this.jdbc.execute("revoke update, delete on eventing.events from " + this.role
				+ "; revoke insert, update, delete on eventing.erasures from " + this.role);
		assertThatCode(() -> validate(asRole())).doesNotThrowAnyException();
	}

	/** A role may have its rights through another one, or through a predefined one. */
	@Test
	void knowsRightsThatTheRoleInherits() {
		this.jdbc.execute("revoke all on all tables in schema eventing from " + this.role);
		this.jdbc.execute("grant pg_read_all_data, pg_write_all_data to " + this.role);
		assertThatCode(() -> validate(asRole())).doesNotThrowAnyException();
	}

	/** The application's own tables may share the schema. */
	@Test
	void leavesOtherTablesAlone() {
		this.jdbc.execute("create table eventing.orders (id bigint primary key)");
		assertThatCode(() -> validate(asRole())).doesNotThrowAnyException();
	}

	@Test
	void theRoleThatMigratesGrantsTheFunctionsToo() {
		for (String function : List.of("applied_events(text)", "inline_changed()", "inline_guard(text[])",
				"note_inline_skips()")) {
			this.jdbc.execute("revoke execute on function eventing." + function + " from public");
		}
		new RoleGrants(this.dataSource, EventingSchema.defaults()).giveTo(asRole());
		assertThatCode(() -> validate(asRole())).doesNotThrowAnyException();
	}

	private SchemaNotReadyException refusal() {
		return catchThrowableOfType(SchemaNotReadyException.class, () -> validate(asRole()));
	}

	private static String statement(String problem) {
		return problem.replaceAll(".*'(grant .*)'$", "$1");
	}

	private static void validate(DataSource dataSource) {
		new SchemaInitializer(dataSource, EventingSchema.defaults(), SchemaMode.VALIDATE).initialize();
	}

}
