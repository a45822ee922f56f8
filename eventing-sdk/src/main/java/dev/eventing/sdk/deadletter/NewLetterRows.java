package dev.eventing.sdk.deadletter;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.UUID;

import dev.eventing.sdk.event.TenantId;

import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;

/** New letters as rows of the ledger. */
final class NewLetterRows {

	private final DeadLetterRows rows;

	NewLetterRows(DeadLetterRows rows) {
		this.rows = rows;
	}

	/**
	 * The statement that inserts a letter unless there is one of its event, which the
	 * unique constraint dead_letters_event decides, also between two that insert at once:
	 * the second waits for the first to end.
	 * @param table the ledger
	 * @param condition what else must hold, on the named parameters
	 */
	static String insert(String table, String condition) {
		return """
				insert into %s (letter_id, projector_name, tenant_id, event_id, event_type, ordering_key,
				                subject, headers, payload, stream, stream_sequence, published_at,
				                reason, error_class, error_message, stack_trace, attempts, first_failed_at,
				                parking_key, next_redrive_at)
				select :letterId, :projector, :tenantId, :eventId, :eventType, :orderingKey,
				       :subject, cast(:headers as jsonb), :payload, :stream, :streamSequence, :publishedAt,
				       :reason, :errorClass, :errorMessage, :stackTrace, :attempts, least(:firstFailedAt, now()),
				       :parkingKey, now() + cast(:redriveAfter as bigint) * interval '1 millisecond'
				 where %s
				on conflict (projector_name, tenant_id, event_id) do nothing""".formatted(table, condition);
	}

	SqlParameterSource parameters(NewDeadLetter letter) {
		TenantId tenant = letter.tenantId();
		Failure failure = letter.failure();
		return new MapSqlParameterSource().addValue("letterId", UUID.randomUUID())
			.addValue("projector", letter.projector())
			.addValue("tenantId", (tenant != null) ? tenant.value() : "")
			.addValue("eventId", letter.eventId())
			.addValue("eventType", StorableText.ofNullable(letter.eventType()))
			.addValue("orderingKey", StorableText.ofNullable(letter.orderingKey()))
			.addValue("subject", StorableText.of(letter.event().subject()))
			.addValue("headers", this.rows.json(letter.event().headers()))
			.addValue("payload", letter.event().payload())
			.addValue("stream", letter.stream())
			.addValue("streamSequence", letter.streamSequence())
			.addValue("publishedAt", utc(letter.publishedAt()))
			.addValue("reason", StorableText.of(letter.reason()))
			.addValue("errorClass", (failure != null) ? failure.errorClass() : null)
			.addValue("errorMessage", (failure != null) ? failure.message() : null)
			.addValue("stackTrace", (failure != null) ? failure.stackTrace() : null)
			.addValue("attempts", letter.attempts())
			.addValue("firstFailedAt", utc(letter.firstFailedAt()))
			.addValue("parkingKey", letter.parkingKey())
			.addValue("redriveAfter", (letter.redriveAfter() != null) ? letter.redriveAfter().toMillis() : null);
	}

	private static OffsetDateTime utc(Instant instant) {
		return instant.atOffset(ZoneOffset.UTC);
	}

}
