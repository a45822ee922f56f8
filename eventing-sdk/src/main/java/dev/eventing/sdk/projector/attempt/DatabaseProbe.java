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
	 * If the server started less than this before an action, the action may have failed
	 * because of that: the server may crash again.
	 */
	private static final Duration STARTING = Duration.ofSeconds(5);

	private static final String STARTED = "pg_postmaster_start_time()";

	/**
	 * When the server last recovered from the crash of a session, which ends all others.
	 * A recovery resets the statistics; a regular start does not. An operator who resets
	 * them all at once looks like a recovery. Every role may read these views on
	 * PostgreSQL 13 to 18, unless an operator has revoked it.
	 */
	private static final String RECOVERED = """
			(select least(writer.stats_reset, archiver.stats_reset)
			   from pg_stat_bgwriter writer, pg_stat_archiver archiver)""";

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
	 * Whether the database answers, accepts writes, and has been up since then, with all
	 * of its sessions. So no restart and no crash of another session has ended an action
	 * that began then. The time until it answers is included.
	 * @param begunAt by {@link System#nanoTime}
	 */
	boolean isWellSince(long begunAt) {
		return answers() && !isSince(begunAt, STARTED) && !isSince(begunAt, RECOVERED);
	}

	/**
	 * Whether the moment is later than then, or shortly before, by the clock of the
	 * server, which may have been set back a little. False if the server refuses to
	 * answer, true if it cannot.
	 */
	private boolean isSince(long begunAt, String moment) {
		Duration time = Duration.ofNanos(System.nanoTime() - begunAt).plus(STARTING);
		try {
			return Boolean.TRUE.equals(this.jdbc.queryForObject(
					"select clock_timestamp() - " + moment
							+ " between interval '-1 minute' and make_interval(secs => ?)",
					Boolean.class, time.toMillis() / 1000.0));
		}
		catch (DataAccessException ex) {
			return FailureClassifier.isTransient(ex);
		}
	}

}
