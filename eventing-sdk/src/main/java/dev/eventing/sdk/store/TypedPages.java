package dev.eventing.sdk.store;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;

import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

/**
 * Reads the events of some types, in a part of the log to which nothing is added any
 * more. Each page is read by one statement. Thread-safe.
 */
public final class TypedPages {

	/** The most positions that a statement reads, however rare the types are. */
	private static final int MOST_POSITIONS = 20_000;

	private final LogTable log;

	private final String[] types;

	private final long upTo;

	private final String page;

	private final String recorded;

	TypedPages(LogTable log, EventingSchema schema, Collection<String> types, long upTo) {
		this.log = log;
		this.types = types.stream().sorted().toArray(String[]::new);
		this.upTo = upTo;
		// By the primary key, as the pages of LogTable: neither texts of other types nor
		// of events behind the page are made, and the limit is not a parameter.
		this.page = """
				select set_config('enable_sort', 'off', true);
				select %1$s, bytes_so_far from (
				  select rows.*, sum(text_bytes) over (order by global_position rows unbounded preceding) as bytes_so_far
				    from (select %2$s from %3$s
				           where global_position > ? and global_position <= ? and event_type = any (?)
				           order by global_position limit %%s) rows) summed
				 where bytes_so_far - text_bytes < ? order by global_position
				"""
			.formatted(StoredRows.COLUMNS, StoredRows.STORED, schema.table("events"));
		// By the primary key.
		this.recorded = """
				select exists (
				  select from %s
				   where global_position > ? and global_position <= ? and event_type = any (?) and recorded_at < ?)"""
			.formatted(schema.table("events"));
	}

	/**
	 * Returns the next events.
	 * @param after the position after which they lie
	 * @param limit the maximum number of events
	 * @param maxBytes the page ends with the event that reaches this number of bytes
	 */
	public Page next(long after, int limit, long maxBytes) {
		long end = Math.min(this.upTo, after + MOST_POSITIONS);
		LogPageStatements.Rows rows = this.log.execute("read events of some types", (connection) -> {
			try (PreparedStatement statement = connection.prepareStatement(this.page.formatted(limit))) {
				statement.setLong(1, after);
				statement.setLong(2, end);
				statement.setArray(3, connection.createArrayOf("text", this.types));
				statement.setLong(4, maxBytes);
				statement.execute();
				statement.getMoreResults();
				return this.log.rows(statement);
			}
		});
		List<StoredEvent> events = rows.events();
		boolean whole = rows.unreadable() == null && events.size() < limit && rows.bytes() < maxBytes;
		long last = events.isEmpty() ? after : events.get(events.size() - 1).position();
		return new Page(events, whole ? end : last, rows.unreadable());
	}

	/**
	 * Whether one of them lies after a position and was recorded before a time. Reads no
	 * event if the first one after the position, of any type, was recorded later.
	 */
	public boolean hasRecordedBefore(Instant time, long after) {
		return this.log.recordedBehind(after).filter((first) -> first.isBefore(time)).isPresent()
				&& this.log.execute("look for events of some types", (connection) -> {
					try (PreparedStatement statement = connection.prepareStatement(this.recorded)) {
						statement.setLong(1, after);
						statement.setLong(2, this.upTo);
						statement.setArray(3, connection.createArrayOf("text", this.types));
						statement.setObject(4, time.atOffset(ZoneOffset.UTC));
						try (ResultSet row = statement.executeQuery()) {
							return row.next() && row.getBoolean(1);
						}
					}
				});
	}

	/**
	 * A page.
	 *
	 * @param events in the order of positions
	 * @param readTo there are no other events of the types up to here
	 * @param unreadable the next event, if it cannot be read; else null
	 */
	public record Page(List<StoredEvent> events, long readTo, @Nullable UnreadableEventException unreadable) {
	}

}
