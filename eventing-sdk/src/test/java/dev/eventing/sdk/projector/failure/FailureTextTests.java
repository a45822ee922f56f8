package dev.eventing.sdk.projector.failure;

import java.io.EOFException;
import java.sql.SQLException;

import dev.eventing.sdk.deadletter.Failure;
import dev.eventing.sdk.projector.InvalidAdditionException;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.BadSqlGrammarException;

import static org.assertj.core.api.Assertions.assertThat;

class FailureTextTests {

	private static final String SECRET = "4111-1111-1111-1111 ".repeat(20);

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

}
