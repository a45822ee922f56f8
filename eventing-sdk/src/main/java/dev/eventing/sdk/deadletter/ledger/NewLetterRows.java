package dev.eventing.sdk.deadletter.ledger;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.UUID;

import dev.eventing.sdk.deadletter.Failure;
import dev.eventing.sdk.deadletter.NewDeadLetter;
import dev.eventing.sdk.deadletter.StorableText;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.idempotency.AppliedEvents;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.SqlParameterSource;

/** Inserts new letters into the ledger. Thread-safe. */
final class NewLetterRows {

	private final DeadLetterRows rows;

	NewLetterRows(DeadLetterRows rows) {
		this.rows = rows;
	}

	/**
	 * Returns the statement that inserts a letter, or opens the closed letter of its
	 * event again, as the newest letter and with the new facts. It changes nothing if the
	 * event has an open letter, or has a closed one and counts as applied. It also
	 * changes nothing if the event has a closed letter and no tenant: then its id comes
	 * from its place, so it is the same message. If two transactions insert at once, the
	 * unique constraint dead_letters_event lets one succeed. If two open a letter again,
	 * the second waits for the lock on the closed letter, and finds it open. No open
	 * letter is locked, because redrives lock those while handlers run.
	 * @param schema the schema of the tables
	 * @param condition a further condition, on the named parameters
	 */
	static String insert(EventingSchema schema, String condition) {
		// By dead_letters_event.
		return """
				with closed as (
				  select d.letter_id
				    from %1$s d
				   where d.projector_name = :projector and d.tenant_id = :tenantId and d.event_id = :eventId
				     and d.status in ('RESOLVED', 'DISCARDED') and d.tenant_id <> ''
				     and not %3$s
				     and %4$s
				     for update of d),
				audited as (
				  insert into %2$s (letter_id, actor, action, detail)
				  select letter_id, :actor, 'REOPENED', :reason from closed)
				insert into %1$s as l (letter_id, projector_name, tenant_id, event_id, event_type, ordering_key,
				                subject, headers, payload, stream, stream_sequence, published_at,
				                reason, error_class, error_message, stack_trace, attempts, first_failed_at,
				                parking_key, next_redrive_at)
				select :letterId, :projector, :tenantId, :eventId, :eventType, :orderingKey,
				       :subject, cast(:headers as jsonb), :payload, :stream, :streamSequence, :publishedAt,
				       :reason, :errorClass, :errorMessage, :stackTrace, :attempts, least(:firstFailedAt, now()),
				       :parkingKey, now() + cast(:redriveAfter as bigint) * interval '1 millisecond'
				 where %4$s
				   and (exists (select from closed)
				        or not exists (select from %1$s
				                        where projector_name = :projector and tenant_id = :tenantId
				                          and event_id = :eventId))
				on conflict (projector_name, tenant_id, event_id) do update
				   set letter_number = default, event_type = excluded.event_type, ordering_key = excluded.ordering_key,
				       subject = excluded.subject, headers = excluded.headers, payload = excluded.payload,
				       stream = excluded.stream, stream_sequence = excluded.stream_sequence,
				       published_at = excluded.published_at, reason = excluded.reason,
				       error_class = excluded.error_class, error_message = excluded.error_message,
				       stack_trace = excluded.stack_trace, attempts = excluded.attempts,
				       first_failed_at = excluded.first_failed_at, dead_at = default, status = default,
				       closed_at = null, parking_key = excluded.parking_key, redrive_id = null,
				       redrives = default, redrive_runs = default, next_redrive_at = excluded.next_redrive_at,
				       edited_payload = case when l.payload = excluded.payload then l.edited_payload end,
				       mended_tenant_id = null, mended_event_id = null,
				       forwarded_at = null, forward_refusal = null
				 where l.letter_id in (select letter_id from closed)""".formatted(schema.table("dead_letters"),
				schema.table("dead_letter_audit"),
				new AppliedEvents(schema).has("d.projector_name", "d.event_id", "d.tenant_id"), condition);
	}

	SqlParameterSource parameters(NewDeadLetter letter) {
		TenantId tenant = letter.identity().tenantId();
		Failure failure = letter.cause().failure();
		return new MapSqlParameterSource().addValue("letterId", UUID.randomUUID())
			.addValue("projector", letter.projector().inColumn())
			.addValue("actor", letter.projector().actor())
			.addValue("tenantId", (tenant != null) ? tenant.value() : "")
			.addValue("eventId", letter.identity().eventId())
			.addValue("eventType", StorableText.ofNullable(letter.identity().type()))
			.addValue("orderingKey", StorableText.ofNullable(letter.identity().orderingKey()))
			.addValue("subject", StorableText.of(letter.event().subject()))
			.addValue("headers", this.rows.json(letter.event().headers()))
			.addValue("payload", letter.event().payload())
			.addValue("stream", letter.place().stream())
			.addValue("streamSequence", letter.place().sequence())
			.addValue("publishedAt", utc(letter.place().storedAt()))
			.addValue("reason", StorableText.of(letter.cause().reason()))
			.addValue("errorClass", (failure != null) ? failure.errorClass() : null)
			.addValue("errorMessage", (failure != null) ? failure.message() : null)
			.addValue("stackTrace", (failure != null) ? failure.stackTrace() : null)
			.addValue("attempts", letter.cause().attempts())
			.addValue("firstFailedAt", utc(letter.cause().firstFailedAt()))
			.addValue("parkingKey", letter.parkingKey())
			.addValue("redriveAfter", (letter.redriveAfter() != null) ? letter.redriveAfter().toMillis() : null);
	}

	private static OffsetDateTime utc(Instant instant) {
		return instant.atOffset(ZoneOffset.UTC);
	}

}
