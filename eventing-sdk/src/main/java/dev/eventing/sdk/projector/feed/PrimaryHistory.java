package dev.eventing.sdk.projector.feed;

import java.time.OffsetDateTime;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;

/**
 * The history of the PostgreSQL server that answers. A replica that was promoted, or a
 * server that was restored to a point in time, begins a timeline of its own; it may lack
 * the last commits of the server before, without any row that this node could tell it by.
 * A server that was only restarted has the history it had. For one thread at a time.
 */
public final class PrimaryHistory {

	private final JdbcOperations jdbc;

	private @Nullable OffsetDateTime startedAt;

	private @Nullable String history;

	public PrimaryHistory(JdbcOperations jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Whether the server's history is another one than when this was asked before; the
	 * first time it is not.
	 * @throws org.springframework.dao.DataAccessException if the server cannot be asked
	 */
	public boolean isAnother() {
		return isAnother(Objects
			.requireNonNull(this.jdbc.queryForObject("select pg_postmaster_start_time()", OffsetDateTime.class)));
	}

	/**
	 * The same for who knows already when the server was started that answers.
	 * @throws org.springframework.dao.DataAccessException if the server cannot be asked
	 */
	public boolean isAnother(OffsetDateTime started) {
		if (started.equals(this.startedAt)) {
			return false;
		}
		// The first eight digits of a WAL file's name are the timeline.
		String found = Objects.requireNonNull(this.jdbc.queryForObject("""
				select system_identifier || ' ' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)
				  from pg_control_system()""", String.class));
		boolean another = this.history != null && !this.history.equals(found);
		this.startedAt = started;
		this.history = found;
		return another;
	}

}
