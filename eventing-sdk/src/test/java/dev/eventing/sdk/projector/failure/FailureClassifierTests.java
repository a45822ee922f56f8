package dev.eventing.sdk.projector.failure;

import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.util.Set;

import dev.eventing.sdk.projector.ProjectorOptions;
import dev.eventing.sdk.projector.ProjectorSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.UnexpectedRollbackException;

import static org.assertj.core.api.Assertions.assertThat;

class FailureClassifierTests {

	@ParameterizedTest
	@ValueSource(strings = { "08006", "08003", "53300", "57P01", "57P03", "40001", "40P01", "55P03", "25006" })
	void takesAbsenceAndContentionOfTheDatabaseForADisturbance(String state) {
		assertThat(FailureClassifier.isTransient(
				new IllegalStateException(new UncategorizedSQLException("task", null, new SQLException("x", state)))))
			.isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "23505", "42601", "22P02", "25P02", "57014", "25P03", "25P04", "" })
	void takesWhatAStatementDidForTheEventsOwn(String state) {
		assertThat(
				FailureClassifier.isTransient(new DataIntegrityViolationException("x", new SQLException("x", state))))
			.isFalse();
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			08000, EITHER
			08001, DATABASE
			08003, EITHER
			08004, DATABASE
			08006, EITHER
			08P01, EITHER
			0A000, EVENT
			22P02, EVENT
			23505, EVENT
			25006, DATABASE
			25P02, EVENT
			28P01, EVENT
			40001, DATABASE
			40P01, DATABASE
			42P01, EVENT
			53000, DATABASE
			53100, DATABASE
			53200, DATABASE
			53300, DATABASE
			53400, EVENT
			54001, EVENT
			55P03, EITHER
			57014, EVENT
			57P01, EITHER
			57P02, DATABASE
			57P03, DATABASE
			57P04, DATABASE
			57P05, EITHER
			58030, DATABASE
			""")
	void blamesBySqlState(String state, Blame blame) {
		SQLException failure = new SQLException("x", state);
		assertThat(FailureClassifier.blame(new IllegalStateException(failure))).isEqualTo(blame);
		assertThat(FailureClassifier.isTransient(failure)).isEqualTo(blame != Blame.EVENT);
	}

	/** Spring's exception for both is the same as for a server that is away. */
	@ParameterizedTest
	@ValueSource(strings = { "53400", "54001" })
	void takesALimitForTheEventsOwnHoweverItComes(String state) {
		RuntimeException limit = new DataAccessResourceFailureException("task", new SQLException("x", state));
		TransactionSystemException rollback = new TransactionSystemException("rollback",
				new SQLException("Connection is closed"));
		rollback.initApplicationException(limit);
		assertThat(FailureClassifier.blame(limit)).isEqualTo(Blame.EVENT);
		assertThat(FailureClassifier.blame(rollback)).isEqualTo(Blame.EVENT);
	}

	/** As after a time-out of the driver or the pooler. */
	@Test
	void leavesOpenWhoEndedASession() {
		TransactionSystemException rollback = new TransactionSystemException("rollback",
				new SQLException("Connection is closed"));
		rollback.initApplicationException(
				new DataAccessResourceFailureException("task", new SQLException("I/O error", "08006")));
		assertThat(FailureClassifier.blame(rollback)).isEqualTo(Blame.EITHER);
		assertThat(FailureClassifier.blame(new IllegalStateException(new SQLException("Connection is closed"))))
			.isEqualTo(Blame.EITHER);
		assertThat(FailureClassifier.blame(new DataAccessResourceFailureException("of another store")))
			.isEqualTo(Blame.EITHER);
		assertThat(FailureClassifier
			.blame(new CannotGetJdbcConnectionException("x", new SQLException("I/O error", "08006"))))
			.isEqualTo(Blame.DATABASE);
	}

	@Test
	void takesAPlanThatAChangeOfColumnsOutdatedForADisturbanceAndNoOtherFeature() {
		assertThat(FailureClassifier.isTransient(new UncategorizedSQLException("task", null,
				new SQLException("ERROR: cached plan must not change result type", "0A000"))))
			.isTrue();
		assertThat(FailureClassifier
			.isTransient(new SQLException("ERROR: cannot insert multiple commands into a prepared statement", "0A000")))
			.isFalse();
		assertThat(FailureClassifier.isTransient(new SQLException("cached plan must not change result type", "42P01")))
			.isFalse();
	}

	/** As HikariCP does with this SQL state. */
	@Test
	void takesAFeatureForTheEventsOwnThoughThePoolClosedTheConnectionBecauseOfIt() {
		assertThat(FailureClassifier.isTransient(failedRollback("FOR UPDATE is not allowed with aggregate functions")))
			.isFalse();
		assertThat(FailureClassifier.isTransient(failedRollback("cached plan must not change result type"))).isTrue();
	}

	/** A transaction that failed may succeed later, but not one that needs a feature. */
	@Test
	void triesNoTransactionOfTheSdkAgainThatNeedsAFeature() {
		assertThat(isTemporary(failedRollback("FOR UPDATE is not allowed with aggregate functions"))).isFalse();
		assertThat(isTemporary(failedRollback("cached plan must not change result type"))).isTrue();
		assertThat(isTemporary(new CannotCreateTransactionException("x"))).isTrue();
		assertThat(isTemporary(new UnexpectedRollbackException("x"))).isFalse();
	}

	private static boolean isTemporary(Throwable failure) {
		return FailureClassifier.isTemporary(failure, failure);
	}

	private static TransactionSystemException failedRollback(String message) {
		TransactionSystemException failed = new TransactionSystemException("JDBC rollback failed",
				new SQLException("Connection is closed"));
		failed.initApplicationException(
				new UncategorizedSQLException("task", null, new SQLException("ERROR: " + message, "0A000")));
		return failed;
	}

	@ParameterizedTest
	@ValueSource(strings = { "57014", "25P03", "25P04" })
	void takesWhatTheServerEndedBecauseItTookTooLongForATimeOut(String state) {
		assertThat(FailureClassifier.isTimeOut(
				new IllegalStateException(new UncategorizedSQLException("task", null, new SQLException("x", state)))))
			.isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "08006", "57P01", "40001", "55P03", "25006", "25P02", "23505", "" })
	void takesNothingElseForATimeOut(String state) {
		assertThat(
				FailureClassifier.isTimeOut(new UncategorizedSQLException("task", null, new SQLException("x", state))))
			.isFalse();
		assertThat(FailureClassifier.isTimeOut(new SQLException("no state"))).isFalse();
	}

	@Test
	void takesAConnectionThatCannotBeHadForADisturbance() {
		assertThat(FailureClassifier.isTransient(new CannotCreateTransactionException("x"))).isTrue();
		assertThat(FailureClassifier.isTransient(new RuntimeException(new SQLRecoverableException("x")))).isTrue();
	}

	@Test
	void takesAConnectionThatItsPoolHasClosedForADisturbance() {
		assertThat(FailureClassifier
			.isTransient(new IllegalStateException("cannot roll back", new SQLException("Connection is closed"))))
			.isTrue();
		assertThat(FailureClassifier.isTransient(new SQLException("of a batch", new SQLException("x", "23505"))))
			.isFalse();
	}

	@Test
	void takesARollbackThatFailedForADisturbanceAndACommitThatWasRefusedForTheEventsOwn() {
		TransactionSystemException ofHandler = new TransactionSystemException("rollback");
		ofHandler.initApplicationException(new IllegalStateException("the handler's"));
		TransactionSystemException ofCommit = new TransactionSystemException("rollback",
				new SQLException("Connection is closed"));
		assertThat(FailureClassifier.isTransient(ofHandler)).isTrue();
		assertThat(FailureClassifier.isTransient(ofCommit)).isTrue();
		assertThat(FailureClassifier
			.isTransient(new TransactionSystemException("commit", new SQLException("deferred constraint", "23503"))))
			.isFalse();
	}

	@Test
	void endsOnCausesThatGoInCircles() {
		Exception one = new Exception("one");
		one.initCause(new Exception("two", one));
		assertThat(FailureClassifier.isTransient(one)).isFalse();
	}

	@Test
	void retriesEverythingUnlessToldOtherwise() {
		assertThat(classifier(Set.of(), Set.of()).isRetryable(new IllegalStateException())).isTrue();
		assertThat(classifier(Set.of(), Set.of(RuntimeException.class)).isRetryable(new IllegalStateException()))
			.isFalse();
		assertThat(classifier(Set.of(IllegalStateException.class), Set.of()).isRetryable(new IllegalStateException()))
			.isTrue();
		assertThat(
				classifier(Set.of(IllegalStateException.class), Set.of()).isRetryable(new IllegalArgumentException()))
			.isFalse();
	}

	@Test
	void looksAtCausesToo() {
		assertThat(classifier(Set.of(), Set.of(IllegalArgumentException.class))
			.isRetryable(new RuntimeException(new IllegalArgumentException()))).isFalse();
	}

	private static FailureClassifier classifier(Set<Class<? extends Throwable>> retryFor,
			Set<Class<? extends Throwable>> noRetryFor) {
		return new FailureClassifier(
				ProjectorOptions.of(ProjectorSettings.builder().retryFor(retryFor).noRetryFor(noRetryFor).build()));
	}

}
