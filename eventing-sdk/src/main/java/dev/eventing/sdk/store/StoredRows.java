package dev.eventing.sdk.store;

import java.sql.ResultSet;
import java.sql.SQLException;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventVersions;
import dev.eventing.sdk.event.UnboundPayload;
import tools.jackson.databind.json.JsonMapper;

/** Creates events from rows of the table "events". Thread-safe. */
final class StoredRows {

	/**
	 * The most bytes of payload and metadata as texts. No append writes a larger row.
	 * PostgreSQL cannot even print some rows that it can store.
	 */
	static final int MAX_BYTES = 2 * StorableJson.MAX_LENGTH;

	/** The columns of the table from which events are created. */
	static final String STORED = """
			global_position, recorded_at, event_id, event_type, tenant_id, stream_id, stream_version, occurred_at,
			metadata, payload, text_bytes""";

	/** The columns of a select, in this order. Does not make texts that are too large. */
	static final String COLUMNS = """
			global_position, recorded_at, event_id, event_type, tenant_id, stream_id, stream_version, occurred_at,
			case when text_bytes <= %1$s then metadata::text end as metadata,
			case when text_bytes <= %1$s then payload::text end as payload, text_bytes""".formatted(MAX_BYTES);

	/** The columns that can always be read. */
	static final String ENVELOPE = """
			global_position, recorded_at, event_id, event_type, tenant_id, stream_id, stream_version, occurred_at""";

	private final JsonMapper mapper;

	private final EventVersions versions;

	StoredRows(JsonMapper mapper, EventVersions versions) {
		this.mapper = mapper;
		this.versions = versions;
	}

	/**
	 * The event of the current row.
	 * @throws UnreadableEventException if the row is not a readable event
	 */
	StoredEvent read(ResultSet columns) throws SQLException {
		StoredRow row = StoredRow.of(columns);
		String metadata = columns.getString(9);
		// The driver returns the bytes of a text as received, which are UTF-8.
		byte[] payload = columns.getBytes(10);
		if (metadata == null || payload == null) {
			throw new UnreadableEventException(row, row.streamId(), "payload and metadata have " + bytes(columns)
					+ " bytes as texts, and at most " + MAX_BYTES + " are read");
		}
		return event(row, metadata, payload);
	}

	/**
	 * The event of the current row, which has the columns of an envelope only: without
	 * metadata, and with an empty object as its payload.
	 * @throws UnreadableEventException if these do not form a valid event
	 */
	StoredEvent envelope(ResultSet columns) throws SQLException {
		StoredRow row = StoredRow.of(columns);
		Event<UnboundPayload> envelope = row.envelope();
		if (envelope == null) {
			throw new UnreadableEventException(row, row.streamId(), "its attributes are not those of an event");
		}
		return new StoredEvent(row.position(), row.recordedAt(), envelope);
	}

	/** The size of payload and metadata of the current row as texts, in bytes. */
	static long bytes(ResultSet columns) throws SQLException {
		return columns.getLong(11);
	}

	private StoredEvent event(StoredRow row, String metadata, byte[] payload) {
		String orderingKey = row.streamId();
		try {
			StoredMetadata read = StoredMetadata.of(metadata);
			orderingKey = (read.key() != null) ? read.key() : orderingKey;
			UnboundPayload written = read.isErased() ? UnboundPayload.erased(row.type(), this.mapper)
					: UnboundPayload.of(payload, this.mapper, this.versions).writtenAs(row.type(), read.version());
			return new StoredEvent(row.position(), row.recordedAt(),
					row.begin(row.type(), written)
						.source(read.source())
						.key(read.key())
						.correlationId(read.correlationId())
						.causationId(read.causationId())
						.headers(read.eventHeaders())
						.build());
		}
		catch (RuntimeException ex) {
			// Messages of Jackson may quote the content.
			String problem = (ex instanceof EventingException) ? String.valueOf(ex.getMessage())
					: "its metadata is not what the SDK writes (" + ex.getClass().getSimpleName() + ")";
			throw new UnreadableEventException(row, orderingKey, problem);
		}
	}

}
