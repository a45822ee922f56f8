package dev.eventing.sdk.projector.failure;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import dev.eventing.sdk.deadletter.Failure;
import dev.eventing.sdk.event.SubjectTemplate;
import dev.eventing.sdk.projector.DeadLetterPolicy;
import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.InvalidAdditionException;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.BadSqlGrammarException;

import static org.assertj.core.api.Assertions.assertThat;

class FailureTextTests {

	private static final String SECRET = "4111-1111-1111-1111 ".repeat(20);

	private static final HandlerMethod HANDLER = new HandlerMethod("Orders.on(OrderPlaced)",
			SubjectTemplate.of("orders.>"), Map.of(), false, (events, resources) -> {
			});

	private static final StackTraceElement[] COMMIT = { frame("org.hibernate.internal.SessionImpl"),
			new StackTraceElement("org.springframework.orm.jpa.JpaTransactionManager", "commit",
					"JpaTransactionManager.java", 1),
			frame("org.springframework.transaction.support.TransactionTemplate"),
			frame("dev.eventing.sdk.worker.SupervisedWorker") };

	private final FailureText texts = new FailureText(true);

	@Test
	void namesTheCauseWithItsMessageAndTheLineOfTheApplication() {
		SQLException cause = new SQLException("ERROR: relation \"orders\" does not exist\n  Position: 13");
		cause.setStackTrace(new StackTraceElement[] { frame("org.postgresql.core.v3.QueryExecutorImpl") });
		Throwable error = new BadSqlGrammarException("insert", "insert into orders values (?)", cause);
		error.setStackTrace(new StackTraceElement[] { frame("org.springframework.jdbc.core.JdbcTemplate"),
				frame("com.example.Orders$$SpringCGLIB$$0"), frame("com.example.Orders"),
				frame("dev.eventing.sdk.annotation.BeanInvocation") });
		assertThat(this.texts.of(error)).isEqualTo("org.springframework.jdbc.BadSqlGrammarException, caused by"
				+ " java.sql.SQLException: ERROR: relation \"orders\" does not exist Position: 13,"
				+ " at com.example.Orders.on(Orders.java:7)");
	}

	/** Its threads end each stack, and are no line of the application. */
	@Test
	void takesNoPackageOfTheSdkForTheApplication() throws IOException {
		try (Stream<Path> packages = Files.list(Path.of("src/main/java/dev/eventing/sdk")).filter(Files::isDirectory)) {
			assertThat(packages).hasSizeGreaterThan(10).allSatisfy((each) -> {
				Throwable error = new IllegalStateException("x");
				error.setStackTrace(new StackTraceElement[] {
						frame("dev.eventing.sdk." + each.getFileName() + ".SupervisedWorker") });
				assertThat(this.texts.of(error)).isEqualTo("java.lang.IllegalStateException: x");
			});
		}
		Throwable error = new IllegalStateException("x");
		error.setStackTrace(new StackTraceElement[] { frame("dev.eventing.sdkless.Orders") });
		assertThat(this.texts.of(error)).endsWith(", at dev.eventing.sdkless.Orders.on(Orders.java:7)");
	}

	@Test
	void namesTheHandlerAndTheCommitWhereNoLineOfTheApplicationIsInTheStack() {
		SQLException cause = new SQLException("ERROR: null value");
		Throwable error = flushed(cause);
		assertThat(this.texts.of(error, HANDLER)).isEqualTo("java.lang.IllegalStateException, caused by"
				+ " java.sql.SQLException: ERROR: null value, at the commit after handler Orders.on(OrderPlaced)");
		assertThat(this.texts.of(error)).endsWith(", at the commit");
		assertThat(new FailureText(false).of(error, HANDLER))
			.isEqualTo("java.lang.IllegalStateException, at the commit after handler Orders.on(OrderPlaced)");
		assertThat(this.texts.of(withoutFrames(new EOFException()), HANDLER))
			.isEqualTo("java.io.EOFException, of handler Orders.on(OrderPlaced)");
		cause.setStackTrace(new StackTraceElement[] { frame("com.example.OrderListener") });
		assertThat(this.texts.of(error, HANDLER)).endsWith(", at com.example.OrderListener.on(OrderListener.java:7)");
	}

	@Test
	void storesTheMessageOfTheCauseBehindThatOfTheError() {
		Throwable error = new IllegalStateException("could not execute statement.",
				new SQLException("ERROR: null value\n  Detail: Failing row contains (1, 4111)."));
		Failure stored = FailureText.stored(error, HANDLER);
		assertThat(stored.errorClass()).isEqualTo("java.lang.IllegalStateException");
		assertThat(stored.message()).isEqualTo("could not execute statement, caused by java.sql.SQLException:"
				+ " ERROR: null value Detail: Failing row contains (...)");
		assertThat(stored.stackTrace()).contains("Failing row contains (1, 4111).");
	}

	/**
	 * Messages of Hibernate and Spring may have that of the database, and the statement.
	 */
	@Test
	void storesTheMessageOfTheCauseOnceAndNearTheBeginning() {
		SQLException cause = new SQLException("ERROR: no such table");
		String statement = "insert into t (" + "a_column, ".repeat(100) + ")";
		Throwable before = new IllegalStateException("failed [ERROR: no such table] [" + statement + "]", cause);
		assertThat(FailureText.stored(before, null).message()).hasSizeLessThan(300)
			.containsOnlyOnce("ERROR: no such table")
			.endsWith(", caused by java.sql.SQLException");
		Throwable behind = new IllegalStateException("failed [" + statement + "]; ERROR: no such table", cause);
		assertThat(FailureText.stored(behind, null).message()).hasSizeLessThan(300)
			.containsOnlyOnce("ERROR: no such table")
			.endsWith(", caused by java.sql.SQLException: ERROR: no such table");
	}

	@Test
	void storesTheMessageOfAnErrorWithoutCauseAsItIs() {
		assertThat(FailureText.stored(new IllegalStateException(SECRET), HANDLER).message()).isEqualTo(SECRET);
		assertThat(FailureText.stored(withoutFrames(new EOFException()), HANDLER).message()).isNull();
		assertThat(FailureText.stored(new IllegalStateException((String) null, new EOFException()), null).message())
			.isEqualTo("caused by java.io.EOFException");
	}

	@Test
	void storesThatTheCommitFailed() {
		assertThat(FailureText.stored(flushed(new SQLException("ERROR: null value")), HANDLER).message())
			.endsWith("caused by java.sql.SQLException: ERROR: null value, at the commit after handler"
					+ " Orders.on(OrderPlaced)");
		Throwable silent = new EOFException();
		silent.setStackTrace(COMMIT);
		assertThat(FailureText.stored(silent, HANDLER).message())
			.isEqualTo("at the commit after handler Orders.on(OrderPlaced)");
	}

	private static Throwable flushed(Throwable cause) {
		cause.setStackTrace(new StackTraceElement[] { frame("org.hibernate.internal.SessionImpl") });
		Throwable error = new IllegalStateException("could not execute statement", cause);
		error.setStackTrace(COMMIT);
		return error;
	}

	@Test
	void hasTheTextOfTheSdkWhole() {
		String text = "Table '" + "o".repeat(70) + "' has no column 'amount'. Consider another name.";
		Throwable error = new IllegalStateException("outer", new InvalidAdditionException(text));
		assertThat(this.texts.of(error)).contains(
				"caused by " + InvalidAdditionException.class.getName() + ": " + text.substring(0, text.length() - 1));
	}

	@Test
	void isTheClassAloneIfNoCauseHasAMessage() {
		Throwable error = withoutFrames(new EOFException());
		assertThat(this.texts.of(error)).isEqualTo("java.io.EOFException");
	}

	@Test
	void endsIfCausesAreACircle() {
		Throwable error = new IllegalStateException("first");
		error.initCause(new IllegalStateException("second", error));
		assertThat(this.texts.of(error)).contains("caused by java.lang.IllegalStateException: second");
	}

	@Test
	void tellsTheClassOfAnErrorThatFailsToTellItsMessage() {
		Throwable error = new IllegalStateException("outer", new Mute());
		assertThat(this.texts.of(withoutFrames(new Mute()))).isEqualTo(Mute.class.getName());
		assertThat(this.texts.of(error)).startsWith("java.lang.IllegalStateException: outer");
		assertThat(FailureText.kind(new Mute())).startsWith(Mute.class.getName());
		Failure stored = FailureText.stored(error, null);
		assertThat(stored.errorClass()).isEqualTo("java.lang.IllegalStateException");
		assertThat(stored.message()).isEqualTo("outer");
		assertThat(stored.stackTrace()).startsWith("java.lang.IllegalStateException: outer");
	}

	@Test
	void endsIfCausesHaveNoEnd() {
		Throwable error = new Endless();
		assertThat(this.texts.of(error)).startsWith(Endless.class.getName());
		assertThat(FailureText.stored(error, null).errorClass()).isEqualTo(Endless.class.getName());
		assertThat(FailureClassifier.isTransient(error)).isFalse();
		assertThat(DeadLetterPolicy.isOneOf(error, Set.of(IOException.class))).isFalse();
	}

	@Test
	void cutsLongValuesAndLeavesOutRows() {
		assertThat(message("cannot read '" + SECRET + "' as a number")).hasSizeLessThan(140).contains("as a number");
		assertThat(message("cannot read \"" + SECRET + "\"")).hasSizeLessThan(140);
		assertThat(message("cannot read {\"card\":\"" + SECRET + "\",\"more\":\"" + SECRET + "\"}"))
			.hasSizeLessThan(140);
		assertThat(message("ERROR: duplicate key\n  Detail: Key (card)=(" + SECRET + ") already exists."))
			.hasSizeLessThan(180)
			.contains("duplicate key", "already exists");
		assertThat(message("ERROR: null value\n  Detail: Failing row contains (1, 4111, null)."))
			.contains("null value", "Failing row contains (...)")
			.doesNotContain("4111");
		assertThat(message(SECRET.repeat(10))).hasSizeLessThan(560);
	}

	@Test
	void isOneLine() {
		assertThat(message("first\nERROR forged\u0007")).contains("first ERROR forged\\u0007");
	}

	@Test
	void hasNoMessageIfMessagesAreNotShown() {
		Throwable error = new IllegalStateException(SECRET, withoutFrames(new SQLException(SECRET)));
		error.setStackTrace(new StackTraceElement[] { frame("com.example.Orders") });
		FailureText without = new FailureText(false);
		assertThat(without.of(error))
			.isEqualTo("java.lang.IllegalStateException, at com.example.Orders.on(Orders.java:7)");
		assertThat(without.of(new Failure("Unreadable", SECRET, null))).isEqualTo("Unreadable");
	}

	@Test
	void hasTheTextOfAFailureWithoutAnError() {
		assertThat(this.texts.of(new Failure("ProcessDied", "The process ended.", null)))
			.isEqualTo("ProcessDied: The process ended");
	}

	private String message(String message) {
		return this.texts.of(withoutFrames(new IllegalStateException(message)));
	}

	private static Throwable withoutFrames(Throwable error) {
		error.setStackTrace(new StackTraceElement[0]);
		return error;
	}

	private static StackTraceElement frame(String type) {
		return new StackTraceElement(type, "on", type.substring(type.lastIndexOf('.') + 1) + ".java", 7);
	}

	/** Its message needs what fails. */
	private static final class Mute extends RuntimeException {

		private static final long serialVersionUID = 1L;

		@Override
		public String getMessage() {
			throw new IllegalStateException("no message");
		}

	}

	/** Makes another cause each time. */
	private static final class Endless extends RuntimeException {

		private static final long serialVersionUID = 1L;

		@Override
		public synchronized Throwable getCause() {
			return new Endless();
		}

	}

}
