package dev.eventing.sdk.jdbc;

import java.io.EOFException;
import java.net.ConnectException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.transaction.CannotCreateTransactionException;

import static org.assertj.core.api.Assertions.assertThat;

class DatabaseFailureTests {

	@Test
	void namesWhatTheDriverSaysThoughItsOwnCauseSaysNothing() {
		assertThat(DatabaseFailure.describe(new DataAccessResourceFailureException("renew leases",
				new SQLException("An I/O error occurred while sending to the backend.", new EOFException()))))
			.isEqualTo("SQLException: An I/O error occurred while sending to the backend");
	}

	@Test
	void namesTheServerAsTheDriverDoes() {
		Exception refused = new SQLException("Connection to db:5432 refused.", new ConnectException("refused"));
		assertThat(DatabaseFailure.describe(new CannotCreateTransactionException("Could not open JDBC Connection",
				new SQLTransientConnectionException("No connection is available", refused))))
			.isEqualTo("SQLException: Connection to db:5432 refused");
	}

	@Test
	void namesThePoolWhereTheDriverWasNotAsked() {
		assertThat(DatabaseFailure.describe(new CannotCreateTransactionException("Could not open JDBC Connection",
				new SQLTransientConnectionException("No connection is available"))))
			.isEqualTo("SQLTransientConnectionException: No connection is available");
	}

	@Test
	void namesTheLastMessageWhereNoDriverSaysAWord() {
		assertThat(DatabaseFailure.describe(new IllegalStateException("outer",
				new QueryTimeoutException("inner", new SQLException((String) null)))))
			.isEqualTo("QueryTimeoutException: inner");
		assertThat(DatabaseFailure.describe(new SQLException(null, new ConnectException("refused"))))
			.isEqualTo("ConnectException: refused");
	}

	@Test
	void namesTheClassWhereNothingHasAMessage() {
		assertThat(DatabaseFailure.describe(new SQLException(null, new EOFException()))).isEqualTo("SQLException");
	}

	@Test
	void tellsInTheWordsOfTheDatabaseWhatLasts() {
		SQLException denied = new SQLException("ERROR: permission denied for table relay_positions", "42501");
		assertThat(DatabaseFailure.lasting(new DataAccessResourceFailureException("save", denied)))
			.isEqualTo("The SDK's tables cannot be used: ERROR: permission denied for table relay_positions;"
					+ " a start with eventing.schema.mode=validate names the grant");
		SQLException refused = new SQLException("FATAL: password authentication failed for user \"app\"", "28P01");
		assertThat(DatabaseFailure.lasting(new CannotCreateTransactionException("Could not open JDBC Connection",
				new SQLTransientConnectionException("No connection is available", "28P01", refused))))
			.isEqualTo("The database refuses connections: FATAL: password authentication failed for user \"app\"");
		assertThat(DatabaseFailure.lasting(new SQLException("no state"))).isNull();
	}

	/** Each class of PostgreSQL's, with the states in it that differ. */
	@ParameterizedTest
	@CsvSource(textBlock = """
			08000, false
			08001, false
			08006, false
			09000, true
			0A000, true
			22001, true
			22P02, true
			23502, true
			23503, true
			23505, false
			23514, true
			25006, false
			25P02, false
			25P03, false
			26000, false
			27000, true
			28000, true
			28P01, true
			38000, true
			39000, true
			3D000, true
			3F000, true
			40001, false
			40P01, false
			42501, true
			42703, true
			42704, true
			42804, true
			42883, true
			42P01, true
			42P05, false
			42P10, true
			44000, true
			53000, false
			53100, false
			53200, false
			53300, false
			53400, true
			54000, true
			55000, true
			55006, false
			55P03, false
			57014, false
			57P01, false
			57P02, false
			57P03, false
			57P04, true
			57P05, false
			58030, false
			58P01, false
			P0001, true
			XX000, false
			XX001, true
			XX002, true
			""")
	void knowsBySqlStateWhatLastsUntilSomebodyChangesIt(String state, boolean lasting) {
		SQLException failure = new SQLException("ERROR: of the test", state);
		assertThat(DatabaseFailure.lasting(new IllegalStateException(failure)) != null).isEqualTo(lasting);
	}

	/** The driver prepares the statement again. */
	@Test
	void takesAnOutdatedPlanForNothingThatLasts() {
		assertThat(DatabaseFailure.lasting(new SQLException("ERROR: cached plan must not change result type", "0A000")))
			.isNull();
	}

	@Test
	void cutsValuesAndLeavesTheLinesOfDetailsOut() {
		String value = "x".repeat(100);
		SQLException invalid = new SQLException("ERROR: invalid input syntax for type uuid: \"" + value
				+ "\"\n  Detail: Failing row contains (secret).", "22P02");
		String cut = "ERROR: invalid input syntax for type uuid: \"" + value.substring(0, 60) + "...\"";
		assertThat(DatabaseFailure.lasting(invalid)).isEqualTo("The SDK's tables cannot be used: " + cut);
		assertThat(DatabaseFailure.brief(invalid)).isEqualTo("SQLException: " + cut);
		assertThat(DatabaseFailure.brief(new SQLException("word ".repeat(200)))).hasSizeLessThan(530).endsWith("...");
		assertThat(DatabaseFailure.brief(new SQLException())).isEqualTo("SQLException");
	}

	@Test
	void endsOnCausesThatGoInCircles() {
		Exception one = new Exception("one");
		one.initCause(new Exception("two", one));
		assertThat(DatabaseFailure.describe(one)).isEqualTo("Exception: two");
	}

}
