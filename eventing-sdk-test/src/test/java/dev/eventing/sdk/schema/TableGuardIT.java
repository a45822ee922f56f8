package dev.eventing.sdk.schema;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Checks of the tables while an application runs. {@link RowsAndNumbersIT} has the same
 * checks of a start.
 */
class TableGuardIT extends LimitedRoleSetup {

	private static final EventingSchema SCHEMA = EventingSchema.defaults();

	private final TableGuard guard = new TableGuard(this.dataSource, SCHEMA);

	private final TableGuard limited = new TableGuard(asRole(), SCHEMA);

	@Test
	void refusesASequenceThatIsSetBackAndTakesTheStatementThatMendsIt() {
		letters(3);
		assertThatCode(this.guard::require).doesNotThrowAnyException();
		execute("alter table eventing.dead_letters alter letter_number restart");
		assertThatExceptionOfType(UnsafeTablesException.class).isThrownBy(this.guard::require)
			.withMessageContaining("has drawn up to 0 only, but 'dead_letters.letter_number' goes up to 3");
		execute("select setval('\"eventing\".\"dead_letters_letter_number_seq\"', 3)");
		assertThatCode(this.guard::require).doesNotThrowAnyException();
	}

	@Test
	void takesTheNextNumberThatAnOperatorHasSet() {
		letters(3);
		execute("alter table eventing.dead_letters alter letter_number restart with 4");
		assertThatCode(this.guard::require).doesNotThrowAnyException();
		execute("alter table eventing.dead_letters alter letter_number restart with 3");
		assertThatExceptionOfType(UnsafeTablesException.class).isThrownBy(this.guard::require)
			.withMessageContaining("has drawn up to 2 only");
	}

	/** Each session draws some ahead: a later letter may get a lower number. */
	@Test
	void refusesASequenceWithACache() {
		execute("alter table eventing.dead_letters alter letter_number set cache 20");
		assertThatExceptionOfType(UnsafeTablesException.class).isThrownBy(this.guard::require)
			.withMessageContaining(
					"has cache 20, increment 1, so later numbers may be lower. Consider \"alter sequence "
							+ "\"eventing\".\"dead_letters_letter_number_seq\" cache 1 increment 1 no cycle\"");
		execute("alter sequence \"eventing\".\"dead_letters_letter_number_seq\" cache 1 increment 1 no cycle");
		assertThatCode(this.guard::require).doesNotThrowAnyException();
	}

	@ParameterizedTest
	@ValueSource(strings = { "dead_letters", "processed_events", "projector_checkpoints", "leases" })
	void refusesHiddenRowsOfAnyTableUntilAPolicyShowsThem(String table) {
		execute("alter table eventing." + table + " enable row level security");
		assertThatCode(this.guard::require).as("of a superuser").doesNotThrowAnyException();
		assertThatExceptionOfType(UnsafeTablesException.class).isThrownBy(this.limited::require)
			.withMessageContaining("may hide rows of \"eventing\".\"" + table + "\" from role '" + this.role + "'");
		execute("create policy eventing_sees_all on \"eventing\".\"" + table + "\" to \"" + this.role
				+ "\" using (true) with check (true)");
		assertThatCode(this.limited::require).doesNotThrowAnyException();
	}

	/** PostgreSQL keeps the plans of a session when a role gets BYPASSRLS. */
	@Test
	void asksForARestartIfTheRoleGetsBypassrls() {
		execute("alter table eventing.dead_letters enable row level security");
		assertThatExceptionOfType(UnsafeTablesException.class).isThrownBy(this.limited::require);
		execute("alter role " + this.role + " bypassrls");
		assertThatExceptionOfType(UnsafeTablesException.class).isThrownBy(this.limited::require)
			.withMessageContaining("Consider a restart of the application");
		execute("alter table eventing.dead_letters disable row level security");
		assertThatCode(this.limited::require).as("plans end with a change of the table").doesNotThrowAnyException();
	}

	/** The schema may be shared with the application. */
	@Test
	void takesTablesOfTheApplicationAsTheyAre() {
		execute("create table eventing.orders (id bigint primary key); "
				+ "alter table eventing.orders enable row level security; grant all on eventing.orders to "
				+ this.role);
		assertThatCode(this.limited::require).doesNotThrowAnyException();
	}

	private void letters(int rows) {
		this.jdbc.update(
				"""
						insert into eventing.dead_letters (letter_id, projector_name, event_id, subject, headers, payload, stream,
						                                   stream_sequence, published_at, reason, attempts, first_failed_at)
						select gen_random_uuid(), 'p', gen_random_uuid(), 's', '{}', '', 's', n, now(), 'r', 1, now()
						  from generate_series(1, ?) n""",
				rows);
	}

	private void execute(String sql) {
		this.jdbc.execute(sql);
	}

}
