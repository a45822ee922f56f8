package dev.eventing.sdk.jdbc;

import java.time.Duration;

import dev.eventing.sdk.EventingException;

/**
 * How long statements may be without an answer. A connection that falls silent - its
 * other end is gone, and no reset came - would keep its thread for hours otherwise.
 *
 * @param statementTimeout how long a statement of the SDK's own may take, in transactions
 * of its own; then it is cancelled, and if that is not answered either the connection is
 * given up; whole seconds count
 * @param handlerTimeout how long one statement in the transaction of a handler may be
 * without an answer before its connection is given up; zero leaves that to driver and
 * pool
 */
public record JdbcOptions(Duration statementTimeout, Duration handlerTimeout) {

	/** How long a statement of the SDK's own may take unless told otherwise. */
	public static final Duration DEFAULT_STATEMENT_TIMEOUT = Duration.ofSeconds(10);

	/** How long a statement of a handler may be unanswered unless told otherwise. */
	public static final Duration DEFAULT_HANDLER_TIMEOUT = Duration.ofMinutes(5);

	/**
	 * Checks the values.
	 * @throws EventingException if a value is out of range
	 */
	public JdbcOptions {
		if (statementTimeout.compareTo(Duration.ofSeconds(1)) < 0) {
			throw new EventingException("A statement cannot be given " + statementTimeout.toMillis()
					+ " ms. Consider 1 s or more, such as the default of " + DEFAULT_STATEMENT_TIMEOUT.toSeconds()
					+ " s.");
		}
		if (!handlerTimeout.isZero() && handlerTimeout.compareTo(Duration.ofSeconds(1)) < 0) {
			throw new EventingException("A statement of a handler cannot be given " + handlerTimeout.toMillis()
					+ " ms. Consider 1 s or more, such as the default of " + DEFAULT_HANDLER_TIMEOUT.toMinutes()
					+ " min, or 0 to set no bound.");
		}
	}

	/** Ten seconds for the SDK's own statements, five minutes for those of handlers. */
	public static JdbcOptions defaults() {
		return new JdbcOptions(DEFAULT_STATEMENT_TIMEOUT, DEFAULT_HANDLER_TIMEOUT);
	}

}
