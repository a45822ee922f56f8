package dev.eventing.sdk.projector.attempt;

import java.time.Duration;

import dev.eventing.sdk.projector.failure.FailureClassifier;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * Asks the database how it is, on another connection than the one that failed. Reads no
 * table.
 */
final class DatabaseProbe {

	/**
	 * A server that started so shortly before something began may be why it failed: it
	 * may fall again.
	 */
	private static final Duration STARTING = Duration.ofSeconds(5);

	private final JdbcOperations jdbc;

	DatabaseProbe(JdbcOperations jdbc) {
		this.jdbc = jdbc;
	}

	/** Whether the database answers and accepts writes. */
	boolean answers() {
		try {
			return Boolean.TRUE.equals(
					this.jdbc.queryForObject("select current_setting('transaction_read_only') = 'off'", Boolean.class));
		}
		catch (DataAccessException ex) {
			return false;
		}
	}

	/**
	 * Whether the database answers, accepts writes, and has been up since then. So no
	 * restart has ended what began then. It may take long to answer, which counts.
	 * @param begunAt by {@link System#nanoTime}
	 */
	boolean isWellSince(long begunAt) {
		return answers() && !hasStartedWithin(Duration.ofNanos(System.nanoTime() - begunAt).plus(STARTING));
	}

	/** By the clock of the server. It may refuse the function: then it is not known. */
	private boolean hasStartedWithin(Duration time) {
		try {
			return Boolean.TRUE.equals(this.jdbc.queryForObject(
					"select clock_timestamp() - pg_postmaster_start_time() between interval '0' and make_interval(secs => ?)",
					Boolean.class, time.toMillis() / 1000.0));
		}
		catch (DataAccessException ex) {
			return FailureClassifier.isTransient(ex);
		}
	}

}
