package dev.eventing.sdk.projector.feed;

import java.time.OffsetDateTime;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.eventing.sdk.projector.failure.FailureClassifier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.util.CollectionUtils;

/**
 * The history of the PostgreSQL server that answers. A promoted replica, or a server
 * restored to a point in time, begins a new timeline. It may lack the last commits of the
 * previous server, and no row shows this. A server that only restarted keeps its
 * timeline. A server that does not tell its timeline, as some managed ones, has an
 * unknown history, which never differs: then only rows that are older than this node's
 * rows show that commits are lost. A replica that is not promoted yet has no history of
 * its own, so it is asked again. For one thread at a time.
 */
public final class PrimaryHistory {

	private static final Logger logger = LoggerFactory.getLogger(PrimaryHistory.class);

	private static final String UNKNOWN = "unknown";

	/** Whether this process has logged that a history is unknown. */
	private static final AtomicBoolean LOGGED_BY_PROCESS = new AtomicBoolean();

	private final JdbcOperations jdbc;

	private final AtomicBoolean logged;

	private @Nullable OffsetDateTime startedAt;

	private @Nullable String history;

	public PrimaryHistory(JdbcOperations jdbc) {
		this(jdbc, LOGGED_BY_PROCESS);
	}

	/** Shares with others whether one of them has logged that a history is unknown. */
	PrimaryHistory(JdbcOperations jdbc, AtomicBoolean logged) {
		this.jdbc = jdbc;
		this.logged = logged;
	}

	/**
	 * Returns whether the server's history differs from that of the previous call. False
	 * at the first call.
	 * @throws org.springframework.dao.DataAccessException if a query fails
	 */
	public boolean isAnother() {
		return isAnother(Objects
			.requireNonNull(this.jdbc.queryForObject("select pg_postmaster_start_time()", OffsetDateTime.class)));
	}

	/**
	 * Like {@link #isAnother()}, for callers that already know the start time of the
	 * server.
	 * @throws org.springframework.dao.DataAccessException if the query fails
	 */
	public boolean isAnother(OffsetDateTime started) {
		if (started.equals(this.startedAt)) {
			return false;
		}
		String found = find();
		if (found == null) {
			return false;
		}
		boolean another = this.history != null && !this.history.equals(UNKNOWN) && !found.equals(UNKNOWN)
				&& !this.history.equals(found);
		this.startedAt = started;
		this.history = found;
		return another;
	}

	/** Returns null while the server is a replica. */
	private @Nullable String find() {
		try {
			if (Boolean.TRUE.equals(this.jdbc.queryForObject("select pg_is_in_recovery()", Boolean.class))) {
				return null;
			}
			// The first eight digits of a WAL file name are the timeline.
			String told = CollectionUtils.firstElement(this.jdbc.queryForList("""
					select system_identifier || ' ' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)
					  from pg_control_system()""", String.class));
			return (told != null) ? told : unknown("it has no value");
		}
		catch (DataAccessException ex) {
			if (FailureClassifier.isTransient(ex) || FailureClassifier.isTimeOut(ex)) {
				throw ex;
			}
			return unknown(String.valueOf(NestedExceptionUtils.getMostSpecificCause(ex).getMessage()));
		}
	}

	/**
	 * Whatever else is wrong with the functions is the server's way to refuse them, and
	 * no reason to stop.
	 */
	private String unknown(String why) {
		if (this.logged.compareAndSet(false, true)) {
			logger.info("The database does not tell its timeline ({}). After a failover to a replica that lacks"
					+ " the last commits, only older rows can show that. See docs/managed-services.md.", why);
		}
		return UNKNOWN;
	}

}
