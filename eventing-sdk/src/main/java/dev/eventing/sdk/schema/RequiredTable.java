package dev.eventing.sdk.schema;

import java.util.List;
import java.util.Map;

/**
 * A table the SDK reads and writes.
 *
 * @param name the table's name
 * @param primaryKey the key's columns with their types; without it idempotency is lost
 * @param columns the other columns the SDK uses
 */
record RequiredTable(String name, Map<String, String> primaryKey, List<String> columns) {

	private static final String NAME = "character varying(255)";

	private static final String STREAM_ID = "character varying(512)";

	private static final Map<String, String> EVENT_OF_PROJECTOR = Map.of("projector_name", NAME, "event_id", "uuid",
			"tenant_id", NAME);

	static final List<RequiredTable> ALL = List.of(
			new RequiredTable("schema_identity", Map.of("one", "boolean"), List.of("id")),
			new RequiredTable("processed_events", EVENT_OF_PROJECTOR, List.of("processed_at", "content_digest")),
			new RequiredTable("projector_positions", Map.of("projector_name", NAME, "stream", NAME),
					List.of("stream_created", "floor", "clean_stop", "updated_at")),
			new RequiredTable("projector_coverage",
					Map.of("projector_name", NAME, "stream", NAME, "kind", "text", "name", STREAM_ID),
					List.of("passed_from", "catching_up", "settled_to")),
			new RequiredTable("projector_attempts", EVENT_OF_PROJECTOR,
					List.of("ordering_key", "attempts", "first_attempt_at", "last_attempt_at", "next_attempt_at",
							"error_class", "error_message")),
			new RequiredTable("dead_letters", Map.of("letter_id", "uuid"),
					List.of("projector_name", "tenant_id", "event_id", "event_type", "ordering_key", "subject",
							"headers", "payload", "stream", "stream_sequence", "published_at", "reason", "error_class",
							"error_message", "stack_trace", "attempts", "first_failed_at", "dead_at", "status",
							"forwarded_at", "forward_refusal", "letter_number", "parking_key", "redrive_id", "redrives",
							"next_redrive_at", "edited_payload", "closed_at", "redrive_runs")),
			new RequiredTable("dead_letter_audit", Map.of("audit_id", "bigint"),
					List.of("letter_id", "at", "actor", "action", "detail")),
			new RequiredTable("dead_letter_redrives", Map.of("redrive_id", "uuid"),
					List.of("requested_at", "actor", "tenant_id", "selection", "letters", "rate_per_second")),
			new RequiredTable("streams", Map.of("tenant_id", NAME, "stream_id", STREAM_ID), List.of("version")),
			new RequiredTable("events", Map.of("global_position", "bigint"),
					List.of("event_id", "tenant_id", "stream_id", "stream_version", "event_type", "occurred_at",
							"recorded_at", "payload", "metadata", "text_bytes")),
			new RequiredTable("snapshots", Map.of("tenant_id", NAME, "stream_id", STREAM_ID, "state_type", NAME),
					List.of("version", "state", "taken_at")),
			new RequiredTable("relay_positions", Map.of("relay_name", NAME),
					List.of("position", "accepted_position", "seal_key", "refusals_changed", "updated_at")),
			new RequiredTable("relay_streams", Map.of("relay_name", NAME, "stream", NAME),
					List.of("stream_created", "last_sequence")),
			new RequiredTable("relay_refusals", Map.of("relay_name", NAME, "global_position", "bigint"),
					List.of("tenant_id", "stream_id", "event_id", "status", "reason", "subject", "recorded_at")),
			new RequiredTable("projector_checkpoints", Map.of("projector_name", NAME),
					List.of("position", "handed_out", "clean_stop", "updated_at")),
			new RequiredTable("projector_prunings", Map.of("projector_name", NAME),
					List.of("stream", "pruned_before", "retention", "pruned_at")),
			new RequiredTable("leases", Map.of("lease_name", NAME),
					List.of("owner", "epoch", "acquired_at", "expires_at", "duration_ms", "token")),
			new RequiredTable("lease_epochs", Map.of("lease_name", NAME), List.of("epoch", "token")));

}
