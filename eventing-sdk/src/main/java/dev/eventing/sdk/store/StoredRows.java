package dev.eventing.sdk.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.UUID;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.event.UnboundPayload;
import tools.jackson.databind.json.JsonMapper;

/** Makes events of rows of the table "events". Thread-safe. */
final class StoredRows {

	/** What a select has to name, in this order. */
	static final String COLUMNS = """
			global_position, recorded_at, event_id, event_type, tenant_id, stream_id, stream_version, occurred_at,
			metadata::text as metadata, payload::text as payload""";

	private final JsonMapper mapper;

	StoredRows(JsonMapper mapper) {
		this.mapper = mapper;
	}

	StoredEvent read(ResultSet row) throws SQLException {
		StoredMetadata metadata = StoredMetadata.of(row.getString(9));
		// The driver hands out a text's bytes as they came, which are UTF-8.
		UnboundPayload payload = UnboundPayload.of(row.getBytes(10), this.mapper);
		Event<UnboundPayload> event = new Event<>(row.getObject(3, UUID.class), row.getString(4),
				TenantId.of(row.getString(5)), metadata.source(), instant(row, 8), row.getString(6), row.getLong(7),
				metadata.key(), metadata.correlationId(), metadata.causationId(), metadata.eventHeaders(), payload);
		return new StoredEvent(row.getLong(1), instant(row, 2), event);
	}

	private static Instant instant(ResultSet row, int column) throws SQLException {
		return row.getObject(column, OffsetDateTime.class).toInstant();
	}

}
