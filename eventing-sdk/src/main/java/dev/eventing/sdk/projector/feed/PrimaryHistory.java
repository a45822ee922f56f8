package dev.eventing.sdk.projector.feed;

import java.time.OffsetDateTime;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;

/**
 * The history of the PostgreSQL server that answers. A promoted replica, or a server
 * restored to a point in time, begins a new timeline. It may lack the last commits of the
 * previous server, and no row shows this. A server that only restarted keeps its
 * timeline. For one thread at a time.
 */
public final class PrimaryHistory {

	private final JdbcOperations jdbc;

	private @Nullable OffsetDateTime startedAt;

	private @Nullable String history;

	public PrimaryHistory(JdbcOperations jdbc) {
		this.jdbc = jdbc;
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
		// The first eight digits of a WAL file name are the timeline.
		String found = Objects.requireNonNull(this.jdbc.queryForObject("""
				select system_identifier || ' ' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)
				  from pg_control_system()""", String.class));
		boolean another = this.history != null && !this.history.equals(found);
		this.startedAt = started;
		this.history = found;
		return another;
	}

}
