package dev.eventing.sdk.store;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import javax.sql.DataSource;

import dev.eventing.sdk.event.EventVersions;
import dev.eventing.sdk.schema.EventingSchema;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcOperations;

/**
 * The events of all streams and all tenants, in the order of their positions. For relays,
 * projectors and operators, not for requests of one tenant. Thread-safe. Each statement
 * runs in a transaction of its own, even if the caller is in a transaction.
 */
public final class EventLog {

	private static final int PAGE = 500;

	private final LogTable log;

	private final SelectedEvents selected;

	private final EventingSchema schema;

	/** A log without upcasters. */
	public EventLog(DataSource dataSource, EventingSchema schema, JsonMapper mapper) {
		this(dataSource, schema, mapper, EventVersions.NONE);
	}

	/**
	 * Does not access the database yet.
	 * @param dataSource connects to the primary, not to a standby
	 * @param schema the schema of the tables
	 * @param mapper binds payloads on demand
	 * @param versions raises payloads of earlier versions before they are bound
	 */
	public EventLog(DataSource dataSource, EventingSchema schema, JsonMapper mapper, EventVersions versions) {
		this.log = new LogTable(dataSource, schema, mapper, versions);
		this.selected = new SelectedEvents(schema, mapper, versions);
		this.schema = schema;
	}

	/**
	 * A reader that starts after a position.
	 * @param after a position up to which everything is settled, such as
	 * {@link LogReader#position} of an earlier reader; 0 to start with the first event
	 */
	public LogReader reader(long after) {
		return reader(after, after);
	}

	/**
	 * A reader that starts after a position, and knows where no event appears any more:
	 * it does not wait at the holes that lie there.
	 * @param after as {@link #reader(long)}
	 * @param settled a position up to which everything is settled, such as that of a
	 * relay
	 */
	public LogReader reader(long after, long settled) {
		return new LogReader(this.log, after, Math.max(after, settled));
	}

	/**
	 * The events after a position that are final now, in the order of positions. Reads
	 * page by page while it is consumed, and keeps neither a cursor nor a connection
	 * between pages. It ends where {@link LogReader#next} returns nothing more: also at a
	 * hole that may still fill, if events follow it.
	 * @param limit the maximum number of events
	 */
	public Stream<StoredEvent> readAll(long after, long limit) {
		LogReader reader = reader(after);
		return Pages.stream((remaining) -> reader.next((int) Math.min(PAGE, remaining)), limit);
	}

	/**
	 * Reads the events of some types up to a position. Only for a caller who knows that
	 * nothing appears up to there any more: events with lower positions may be committed
	 * later. Sends no query yet.
	 * @param types the names of the types, as they are stored
	 * @param upTo the last position
	 */
	public TypedPages ofTypes(Collection<String> types, long upTo) {
		return new TypedPages(this.log, this.schema, types, upTo);
	}

	/**
	 * The events after a position that the next statement of a transaction sees, in the
	 * order of positions. Only for a caller who knows that no other event can appear
	 * among them: events with lower positions may be committed later.
	 * @param transaction runs the statement in the caller's transaction
	 * @param most the maximum number of events
	 * @param mostBytes the maximum size of their payloads and metadata
	 * @return all of them; empty if there are more
	 * @throws UnreadableEventException if one of them cannot be read
	 */
	public Optional<List<StoredEvent>> visible(JdbcOperations transaction, long after, int most, long mostBytes) {
		return this.log.visible(transaction, after, most, mostBytes);
	}

	/** The events of a tenant, a stream or a time, in the caller's transaction. */
	public SelectedEvents selected() {
		return this.selected;
	}

	/**
	 * The events after a position that are visible now, final or not, up to the first one
	 * that cannot be read. Takes no lock, and does not wait.
	 */
	LogPageStatements.Rows stored(long after, int limit) {
		return this.log.page(after, null, limit, LogReader.DEFAULT_BYTES);
	}

	/** The event at a position, whatever its tenant. */
	public Optional<StoredEvent> find(long position) {
		return this.log.find(position);
	}

	/**
	 * When the first visible event after a position was recorded; empty if there is none.
	 */
	public Optional<Instant> recordedBehind(long position) {
		return this.log.recordedBehind(position);
	}

	/** The highest position of a visible event; 0 if there is none. */
	public long head() {
		return this.log.head();
	}

	/**
	 * Ensures that a position was drawn from the sequence, so that new events get higher
	 * positions.
	 * @throws LogSetBackException if it was not drawn
	 * @throws UnsafePositionsException as {@link #drawn}
	 */
	public void requireDrawn(long position) {
		long drawn = drawn();
		if (position > drawn) {
			throw this.log.setBackBehind(position, drawn);
		}
	}

	/**
	 * The last position that was drawn from the sequence, visible or not; 0 if none was
	 * drawn.
	 * @throws UnsafePositionsException if there are events with higher positions, as
	 * after logical replication, or if the sequence or its column is not defined as
	 * required
	 */
	public long drawn() {
		return this.log.drawn();
	}

}
