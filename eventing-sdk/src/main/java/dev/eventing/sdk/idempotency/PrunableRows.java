package dev.eventing.sdk.idempotency;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Deletes old rows of {@code processed_events} by reading the table block by block. So it
 * needs no index on the time, which would slow down each event. Thread-safe.
 */
public final class PrunableRows {

	private final JdbcTemplate jdbc;

	private final String blocks;

	private final String delete;

	/**
	 * Does not access the database yet.
	 * @param held the events whose rows stay
	 */
	public PrunableRows(JdbcTemplate jdbc, EventingSchema schema, HeldEvents held) {
		this.jdbc = jdbc;
		this.blocks = "select pg_relation_size('%s') / current_setting('block_size')::bigint"
			.formatted(schema.table("processed_events"));
		// A TID range scan reads only these blocks. A scalar subquery as in the claim:
		// one lookup per old row. An open letter may be redriven, and the row here
		// prevents that its event is applied twice.
		this.delete = """
				with gone as (
				  delete from %s p
				   using unnest(?::text[], ?::timestamptz[]) as b (projector_name, pruned_before)
				   where p.ctid >= ?::tid and p.ctid < ?::tid
				     and p.projector_name = b.projector_name
				     and p.processed_at < b.pruned_before
				     and %s is not true
				  returning p.projector_name)
				select projector_name, count(*) from gone group by projector_name
				""".formatted(schema.table("processed_events"),
				held.isHeld("p.projector_name", "p.tenant_id", "p.event_id"));
	}

	/** The statement, for tests of its query plan. */
	String sql() {
		return this.delete;
	}

	/** The current number of blocks of the table. */
	public long blocks() {
		Long count = this.jdbc.queryForObject(this.blocks, Long.class);
		return (count != null) ? count : 0;
	}

	/**
	 * Deletes old rows in a range of blocks, in one transaction. Keeps rows of events
	 * that are held.
	 * @param before per projector, the time before which rows are old; rows of other
	 * projectors stay
	 * @param from the first block, inclusive
	 * @param to the last block, exclusive
	 * @return the number of deleted rows by projector
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	public Map<ProjectorId, Long> delete(Map<ProjectorId, Instant> before, long from, long to) {
		Map<ProjectorId, Long> gone = new HashMap<>();
		this.jdbc.query((connection) -> statement(connection, before, from, to), (row) -> {
			gone.put(ProjectorId.parse(row.getString(1)), row.getLong(2));
		});
		return gone;
	}

	private PreparedStatement statement(Connection connection, Map<ProjectorId, Instant> before, long from, long to)
			throws SQLException {
		String[] projectors = before.keySet().stream().map(ProjectorId::inColumn).toArray(String[]::new);
		// With an offset. In an array the driver writes a Timestamp without one, and
		// PostgreSQL reads it in the time zone of the session.
		String[] times = before.values().stream().map(Instant::toString).toArray(String[]::new);
		PreparedStatement statement = connection.prepareStatement(this.delete);
		statement.setArray(1, connection.createArrayOf("text", projectors));
		statement.setArray(2, connection.createArrayOf("timestamptz", times));
		statement.setString(3, "(" + from + ",0)");
		statement.setString(4, "(" + to + ",0)");
		return statement;
	}

}
