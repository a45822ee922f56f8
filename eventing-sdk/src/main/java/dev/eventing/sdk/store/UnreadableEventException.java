package dev.eventing.sdk.store;

import java.time.Instant;
import java.util.UUID;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.Quoted;
import dev.eventing.sdk.event.UnboundPayload;
import org.jspecify.annotations.Nullable;

/**
 * A row of the event store is not a readable event, now or later. The SDK never writes
 * such a row, but other statements can. Has no cause, which might quote the payload.
 */
public class UnreadableEventException extends EventingException {

	private static final long serialVersionUID = 1L;

	private final transient StoredRow row;

	private final String orderingKey;

	UnreadableEventException(StoredRow row, String orderingKey, String problem) {
		super("Event '" + row.eventId() + "' of tenant " + Quoted.of(row.tenantId()) + " at position " + row.position()
				+ " of the event store, of type " + Quoted.of(row.type()) + " in stream " + Quoted.of(row.streamId())
				+ ", cannot be read: " + problem + ". Consider correcting its row.");
		this.row = row;
		this.orderingKey = orderingKey;
	}

	/** Its position among the events of all streams and tenants. */
	public long position() {
		return this.row.position();
	}

	/** When it was appended, by the database's clock. */
	public Instant recordedAt() {
		return this.row.recordedAt();
	}

	/** The id in its row. */
	public UUID eventId() {
		return this.row.eventId();
	}

	/** The tenant in its row, which may be invalid. */
	public String tenantId() {
		return this.row.tenantId();
	}

	/** The stream in its row. */
	public String streamId() {
		return this.row.streamId();
	}

	/**
	 * The key in its metadata. The stream in its row if there is none, or if the metadata
	 * cannot be read.
	 */
	public String orderingKey() {
		return this.orderingKey;
	}

	/** The type in its row. */
	public String type() {
		return this.row.type();
	}

	/**
	 * The event with its readable attributes: without metadata, and with an empty object
	 * as its payload. Null if these do not form a valid event.
	 */
	public @Nullable Event<UnboundPayload> envelope() {
		return this.row.envelope();
	}

}
