package dev.eventing.sdk.jdbc;

import java.io.EOFException;
import java.net.ConnectException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

import org.junit.jupiter.api.Test;

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
	void knowsInTheWordsOfTheDatabaseWhatItLacks() {
		SQLException denied = new SQLException("permission denied for table relay_positions", "42501");
		assertThat(DatabaseFailure.missing(new DataAccessResourceFailureException("save", denied)))
			.isEqualTo("permission denied for table relay_positions");
		assertThat(DatabaseFailure.missing(new SQLException("This connection has been closed.", "08003"))).isNull();
		assertThat(DatabaseFailure.missing(new SQLException("no state"))).isNull();
	}

	@Test
	void endsOnCausesThatGoInCircles() {
		Exception one = new Exception("one");
		one.initCause(new Exception("two", one));
		assertThat(DatabaseFailure.describe(one)).isEqualTo("Exception: two");
	}

}
