package dev.eventing.sdk.deadletter.ledger;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterStatus;
import dev.eventing.sdk.deadletter.EventIdentity;
import dev.eventing.sdk.deadletter.Failure;
import dev.eventing.sdk.deadletter.LetterCause;
import dev.eventing.sdk.deadletter.LetterHandling;
import dev.eventing.sdk.deadletter.LetterHandling.Redriven;
import dev.eventing.sdk.deadletter.StorableText;
import dev.eventing.sdk.event.EventHeaders;
import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.event.TenantId;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.RowMapper;

/** Maps rows of the ledger to letters, and headers to jsonb. Thread-safe. */
final class DeadLetterRows implements RowMapper<DeadLetter> {

	private static final TypeReference<LinkedHashMap<String, List<String>>> HEADERS = new TypeReference<>() {
	};

	/**
	 * SQL for the approximate number of bytes of a row in memory. PostgreSQL knows the
	 * lengths of payloads and stack traces without reading them.
	 */
	static final String BYTES = """
			(octet_length(payload) + coalesce(octet_length(edited_payload), 0) + octet_length(headers::text)
			 + coalesce(octet_length(stack_trace), 0) + 1000)::bigint""";

	private final JsonMapper json;

	DeadLetterRows(JsonMapper json) {
		this.json = json;
	}

	/** Returns each header name with the array of its values, in order. */
	String json(EventHeaders headers) {
		Map<String, List<String>> storable = new LinkedHashMap<>();
		headers.toMap()
			.forEach((name, values) -> storable.put(StorableText.of(name),
					values.stream().map(StorableText::of).toList()));
		return this.json.writeValueAsString(storable);
	}

	@Override
	public DeadLetter mapRow(ResultSet row, int number) throws SQLException {
		RawEvent event = new RawEvent(row.getString("subject"),
				EventHeaders.of(this.json.readValue(row.getString("headers"), HEADERS)), row.getBytes("payload"));
		return new DeadLetter(row.getObject("letter_id", UUID.class), row.getLong("letter_number"),
				row.getString("projector_name"), identity(row), event,
				new EventPlace(row.getString("stream"), row.getLong("stream_sequence"), instant(row, "published_at")),
				new LetterCause(row.getString("reason"), failure(row), row.getInt("attempts"),
						instant(row, "first_failed_at")),
				handling(row, event));
	}

	static EventIdentity identity(ResultSet row) throws SQLException {
		return new EventIdentity(tenant(row), row.getObject("event_id", UUID.class), row.getString("event_type"),
				row.getString("ordering_key"));
	}

	private static @Nullable Failure failure(ResultSet row) throws SQLException {
		String errorClass = row.getString("error_class");
		return (errorClass != null)
				? new Failure(errorClass, row.getString("error_message"), row.getString("stack_trace")) : null;
	}

	private static LetterHandling handling(ResultSet row, RawEvent event) throws SQLException {
		byte[] edited = row.getBytes("edited_payload");
		return new LetterHandling(DeadLetterStatus.valueOf(row.getString("status")), instant(row, "dead_at"),
				row.getString("parking_key"), nullableInstant(row, "forwarded_at"),
				(edited != null) ? new RawEvent(event.subject(), event.headers(), edited) : null,
				nullableInstant(row, "closed_at"), new Redriven(row.getObject("redrive_id", UUID.class),
						row.getInt("redrives"), nullableInstant(row, "next_redrive_at")));
	}

	/**
	 * Returns the tenant, or null if it is unknown. The ledger then has an empty text.
	 */
	static @Nullable TenantId tenant(ResultSet row) throws SQLException {
		String tenant = row.getString("tenant_id");
		return tenant.isEmpty() ? null : TenantId.of(tenant);
	}

	static Instant instant(ResultSet row, String column) throws SQLException {
		return row.getObject(column, OffsetDateTime.class).toInstant();
	}

	private static @Nullable Instant nullableInstant(ResultSet row, String column) throws SQLException {
		OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
		return (time != null) ? time.toInstant() : null;
	}

}
