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

/**
 * The columns of a row that can always be read, whatever its payload and metadata hold.
 */
record StoredRow(long position, Instant recordedAt, UUID eventId, String type, String tenantId, String streamId,
		long version, Instant occurredAt) {

	private static final byte[] NO_PAYLOAD = "{}".getBytes(StandardCharsets.US_ASCII);

	/** The type of an event whose row has no valid type. */
	private static final String NO_TYPE = "unreadable";

	static StoredRow of(ResultSet row) throws SQLException {
		return new StoredRow(row.getLong(1), instant(row, 2), row.getObject(3, UUID.class), row.getString(4),
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

	EventBuilder<UnboundPayload> begin(String type, UnboundPayload payload) {
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
