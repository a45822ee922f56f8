package dev.eventing.sdk.jdbc;

import java.time.Duration;

import dev.eventing.sdk.OperatorMustActException;

/**
 * How long a statement may wait for an answer. Without a limit, a connection whose other
 * end is gone without a TCP reset would block its thread for hours.
 *
 * @param statementTimeout the limit for a statement of the SDK in a transaction of its
 * own. After it the statement is cancelled; if the server does not answer that either,
 * the connection is closed. Counted in whole seconds.
 * @param handlerTimeout how long one statement in the transaction of a handler may wait
 * for an answer before its connection is closed; zero leaves the limit to driver and pool
 */
public record JdbcOptions(Duration statementTimeout, Duration handlerTimeout) {

	/** The default of {@link #statementTimeout}. */
	public static final Duration DEFAULT_STATEMENT_TIMEOUT = Duration.ofSeconds(10);

	/** The default of {@link #handlerTimeout}. */
	public static final Duration DEFAULT_HANDLER_TIMEOUT = Duration.ofMinutes(5);

	/**
	 * Checks the values.
	 * @throws OperatorMustActException if a value is out of range
	 */
	public JdbcOptions {
		if (statementTimeout.compareTo(Duration.ofSeconds(1)) < 0) {
			throw new OperatorMustActException("The statement time-out is " + statementTimeout.toMillis()
					+ " ms. Consider 1 s or more, such as the default of " + DEFAULT_STATEMENT_TIMEOUT.toSeconds()
					+ " s.");
		}
		if (!handlerTimeout.isZero() && handlerTimeout.compareTo(Duration.ofSeconds(1)) < 0) {
			throw new OperatorMustActException("The statement time-out of handlers is " + handlerTimeout.toMillis()
					+ " ms. Consider 1 s or more, such as the default of " + DEFAULT_HANDLER_TIMEOUT.toMinutes()
					+ " min, or 0 for no limit.");
		}
	}

	/**
	 * Ten seconds for the SDK's own statements, five minutes for statements of handlers.
	 */
	public static JdbcOptions defaults() {
		return new JdbcOptions(DEFAULT_STATEMENT_TIMEOUT, DEFAULT_HANDLER_TIMEOUT);
	}

}
