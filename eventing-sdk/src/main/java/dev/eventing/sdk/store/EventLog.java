package dev.eventing.sdk.store;

import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

import javax.sql.DataSource;

import dev.eventing.sdk.schema.EventingSchema;
import tools.jackson.databind.json.JsonMapper;

/**
 * The events of all streams and all tenants, in the order of their positions: for relays,
 * projectors and operators, not for handling one tenant's requests. Thread-safe. Whatever
 * transaction the caller is in, all statements are transactions of their own.
 */
public final class EventLog {

	private static final int PAGE = 500;

	private final LogTable log;

	/**
	 * Looks at no database yet.
	 * @param dataSource of the primary, not of a standby
	 * @param schema where the tables are
	 * @param mapper binds payloads, once someone asks for them
	 */
	public EventLog(DataSource dataSource, EventingSchema schema, JsonMapper mapper) {
		this.log = new LogTable(dataSource, schema, mapper);
	}

	/**
	 * A reader that goes on behind a position.
	 * @param after a position up to which everything is settled, such as
	 * {@link LogReader#position} of an earlier reader; 0 to begin with the first event
	 */
	public LogReader reader(long after) {
		return new LogReader(this.log, after);
	}

	/**
	 * The events behind a position that are final now, in the order of positions. Reads
	 * page by page while it is consumed and keeps neither a cursor nor a connection in
	 * between; it ends where {@link LogReader#next} has nothing more to hand out.
	 * @param limit the most events
	 */
	public Stream<StoredEvent> readAll(long after, long limit) {
		LogReader reader = reader(after);
		return Pages.stream((remaining) -> reader.next((int) Math.min(PAGE, remaining)), limit);
	}

	/** The event at a position, of whichever tenant. */
	public Optional<StoredEvent> find(long position) {
		return this.log.find(position);
	}

	/**
	 * When the first event behind a position was recorded, of those that are visible;
	 * empty if there is none.
	 */
	public Optional<Instant> recordedBehind(long position) {
		return this.log.recordedBehind(position);
	}

	/** The highest position of an event that is visible; 0 for none. */
	public long head() {
		return this.log.head();
	}

	/**
	 * Makes sure that a position was drawn, so that new events come behind it.
	 * @throws LogSetBackException if it was not
	 * @throws UnsafePositionsException as {@link #drawn}
	 */
	public void requireDrawn(long position) {
		long drawn = drawn();
		if (position > drawn) {
			throw this.log.setBackBehind(position, drawn);
		}
	}

	/**
	 * The last position that was drawn, visible or not; 0 for none.
	 * @throws UnsafePositionsException if there are events behind it, as after logical
	 * replication, or if positions are not drawn as they must be
	 */
	public long drawn() {
		return this.log.drawn();
	}

}
