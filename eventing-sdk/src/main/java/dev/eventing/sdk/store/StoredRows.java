package dev.eventing.sdk.store;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.UUID;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventBuilder;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.event.UnboundPayload;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Creates events from rows of the table "events". Thread-safe. */
final class StoredRows {

	/**
	 * In bytes of payload and metadata as texts. No append writes a larger row.
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
			case when text_bytes <= %1$d then metadata::text end as metadata,
			case when text_bytes <= %1$d then payload::text end as payload, text_bytes""".formatted(MAX_BYTES);

	private static final byte[] NO_PAYLOAD = "{}".getBytes(StandardCharsets.US_ASCII);

	/** The type of an event whose row has no valid type. */
	private static final String NO_TYPE = "unreadable";

	private final JsonMapper mapper;

	StoredRows(JsonMapper mapper) {
		this.mapper = mapper;
	}

	/**
	 * The event of the current row.
	 * @throws UnreadableEventException if the row is not a readable event
	 */
	StoredEvent read(ResultSet columns) throws SQLException {
		Row row = Row.of(columns);
		String metadata = columns.getString(9);
		// The driver returns the bytes of a text as received, which are UTF-8.
		byte[] payload = columns.getBytes(10);
		if (metadata == null || payload == null) {
			throw new UnreadableEventException(row, row.streamId(), "payload and metadata have " + bytes(columns)
					+ " bytes as texts, and at most " + MAX_BYTES + " are read");
		}
		return event(row, metadata, payload);
	}

	/** The size of payload and metadata of the current row as texts, in bytes. */
	static long bytes(ResultSet columns) throws SQLException {
		return columns.getLong(11);
	}

	private StoredEvent event(Row row, String metadata, byte[] payload) {
		String orderingKey = row.streamId();
		try {
			StoredMetadata read = StoredMetadata.of(metadata);
			orderingKey = (read.key() != null) ? read.key() : orderingKey;
			return new StoredEvent(row.position(), row.recordedAt(),
					row.begin(row.type(), UnboundPayload.of(payload, this.mapper))
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

	/**
	 * The columns of a row that can always be read, whatever its payload and metadata
	 * hold.
	 */
	record Row(long position, Instant recordedAt, UUID eventId, String type, String tenantId, String streamId,
			long version, Instant occurredAt) {

		static Row of(ResultSet row) throws SQLException {
			return new Row(row.getLong(1), instant(row, 2), row.getObject(3, UUID.class), row.getString(4),
					row.getString(5), row.getString(6), row.getLong(7), instant(row, 8));
		}

		@Nullable Event<UnboundPayload> envelope() {
			Event<UnboundPayload> own = envelope(this.type);
			return (own != null) ? own : envelope(NO_TYPE);
		}

		private @Nullable Event<UnboundPayload> envelope(String type) {
			try {
				return begin(type, UnboundPayload.of(NO_PAYLOAD, EventJson.mapper())).source("unknown").build();
			}
			catch (EventingException ex) {
				return null;
			}
		}

		private EventBuilder<UnboundPayload> begin(String type, UnboundPayload payload) {
			return Event.builder(TenantId.of(this.tenantId), payload)
				.id(this.eventId)
				.type(type)
				.time(this.occurredAt)
				.streamId(this.streamId)
				.streamVersion(this.version);
		}

		private static Instant instant(ResultSet row, int column) throws SQLException {
			return row.getObject(column, OffsetDateTime.class).toInstant();
		}

	}

}
