package dev.eventing.sdk.schema;

import java.util.List;
import java.util.Map;

/**
 * A table the SDK reads and writes, or a view that it reads.
 *
 * @param name the name of the table or view
 * @param primaryKey the key's columns with their types; without it idempotency is lost. A
 * view has none.
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
					List.of("stream_created", "floor", "clean_stop", "updated_at", "store_position", "store_refused")),
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
							"next_redrive_at", "edited_payload", "closed_at", "redrive_runs", "mended_tenant_id",
							"mended_event_id")),
			new RequiredTable("dead_letter_audit", Map.of("audit_id", "bigint"),
					List.of("letter_id", "at", "actor", "action", "detail")),
			new RequiredTable("dead_letter_redrives", Map.of("redrive_id", "uuid"),
					List.of("requested_at", "actor", "tenant_id", "selection", "letters", "rate_per_second")),
			new RequiredTable("streams", Map.of("tenant_id", NAME, "stream_id", STREAM_ID), List.of("version")),
			new RequiredTable("events", Map.of("global_position", "bigint"),
					List.of("event_id", "tenant_id", "stream_id", "stream_version", "event_type", "occurred_at",
							"recorded_at", "payload", "metadata", "text_bytes")),
			new RequiredTable("snapshots", Map.of("tenant_id", NAME, "stream_id", STREAM_ID, "state_type", NAME),
					List.of("fold_version", "version", "state", "taken_at")),
			new RequiredTable("relays", Map.of("relay_name", NAME),
					List.of("accepted_position", "seal_key", "refusals_changed", "subjects", "categories")),
			new RequiredTable("relay_positions", Map.of("relay_name", NAME, "revision", "bigint"),
					List.of("position", "updated_at")),
			new RequiredTable("relay_streams", Map.of("relay_name", NAME, "stream", NAME),
					List.of("stream_created", "last_sequence", "given_again")),
			new RequiredTable("relay_refusals", Map.of("relay_name", NAME, "global_position", "bigint"),
					List.of("tenant_id", "stream_id", "event_id", "status", "reason", "subject", "place",
							"recorded_at")),
			new RequiredTable("relay_late_events", Map.of("relay_name", NAME, "global_position", "bigint"),
					List.of("tenant_id", "stream_id", "event_id", "stream", "stream_created", "sequence",
							"published_at")),
			new RequiredTable("projector_checkpoints", Map.of("projector_name", NAME, "revision", "bigint"),
					List.of("position", "updated_at")),
			new RequiredTable("projector_handouts", Map.of("projector_name", NAME, "revision", "bigint"),
					List.of("handed_out", "clean_stop", "updated_at")),
			new RequiredTable("projector_prunings", Map.of("projector_name", NAME),
					List.of("stream", "pruned_before", "retention", "pruned_at")),
			new RequiredTable("projector_nodes", Map.of("projector_name", NAME, "node", "text"),
					List.of("version", "scripted", "state", "detail", "behind_events", "behind_seconds",
							"reported_at")),
			new RequiredTable("projector_controls", Map.of("projector_name", NAME),
					List.of("paused", "actor", "reason", "changed_at")),
			new RequiredTable("projections", Map.of("projection_name", NAME, "generation", "integer"),
					List.of("status", "definition", "version", "filled_to", "schema_name", "script", "tables", "rate",
							"max_bytes", "failure", "stream", "stream_created", "note", "no_rollback", "begun_at",
							"live_at", "live_transaction", "retired_at", "live_schema", "hold_at", "hold_until",
							"live_epoch", "live_server")),
			new RequiredTable("erasures", Map.of("erasure_id", "bigint"),
					List.of("at", "tenant_id", "stream_id", "actor", "reason", "erased")),
			new RequiredTable("projection_ownership",
					Map.of("projection_name", NAME, "version", "integer", "table_name", NAME),
					List.of("tenant_column", "stream_column", "stream_prefix")),
			new RequiredTable("projection_lanes",
					Map.of("projection_name", NAME, "generation", "integer", "lane", "integer", "revision", "bigint"),
					List.of("position")),
			new RequiredTable("projection_claims",
					Map.of("projection_name", NAME, "generation", "integer", "event_id", "uuid", "tenant_id", NAME),
					List.of()),
			new RequiredTable("projection_inline", Map.of("projection_name", NAME),
					List.of("mode", "code", "handled", "turn", "from_position", "to_position", "demoted",
							"changed_at")),
			new RequiredTable("projection_skips", Map.of("projection_name", NAME, "global_position", "bigint"),
					List.of()),
			new RequiredTable("projection_effects",
					Map.of("projection_name", NAME, "event_id", "uuid", "tenant_id", NAME, "generation", "integer", "n",
							"integer"),
					List.of("state", "sequence", "effect_id", "stream_id", "event_type", "occurred_at", "payload",
							"metadata")),
			new RequiredTable("projection_requests", Map.of("request_id", "bigint"),
					List.of("projection_name", "action", "generation", "status", "actor", "reason", "requested_at",
							"expires_at", "ended_at", "detail", "hold_at", "hold_until", "held_at", "held_epoch",
							"unchecked", "accepts_lost_columns", "schema_name", "rate", "max_bytes", "until_position",
							"until_time", "ddl_role", "ddl_schemas", "types", "handler", "begun_at", "scope_kind",
							"scope_tenant", "scope_names", "scope_from", "scope_to", "most_events")),
			new RequiredTable("projection_backfills", Map.of("request_id", "bigint"),
					List.of("projection_name", "types", "from_position", "up_to", "held_from", "position", "handed_out",
							"events", "updated_at")),
			new RequiredTable("projection_backfill_events", Map.of("request_id", "bigint", "global_position", "bigint"),
					List.of()),
			new RequiredTable("projection_audit", Map.of("audit_id", "bigint"),
					List.of("projection_name", "generation", "at", "actor", "action", "reason", "detail")),
			new RequiredTable("projector_beginnings", Map.of("projector_name", NAME), List.of("position")),
			new RequiredTable("projection_checks", Map.of("check_id", "bigint"),
					List.of("projector_name", "check_name", "at", "duration_ms", "actor", "generation", "position",
							"differences", "sample", "error")),
			new RequiredTable("projection_check_requests", Map.of("request_id", "uuid", "check_name", NAME),
					List.of("projector_name", "generation", "actor", "requested_at", "expires_at", "taken_at",
							"check_id")),
			new RequiredTable("projection_snapshots",
					Map.of("projection_name", NAME, "generation", "integer", "tenant_id", NAME, "key", "text"),
					List.of("state", "version", "updated_at")),
			new RequiredTable("leases", Map.of("lease_name", NAME),
					List.of("owner", "epoch", "acquired_at", "expires_at", "duration_ms", "token")),
			new RequiredTable("lease_epochs", Map.of("lease_name", NAME), List.of("epoch", "token")),
			new RequiredTable("projector_overview", Map.of(), List.of("name", "generation", "role", "status", "detail",
					"paused", "position", "behind_events", "behind_seconds", "owner", "open_letters", "updated_at")));

	/**
	 * The functions that the queries of reconciliations call, that appends and owners of
	 * inline projectors call, and that a trigger on events calls.
	 */
	static final List<String> FUNCTIONS = List.of("applied_events", "inline_changed", "inline_guard", "inline_lock",
			"note_inline_skips");

	/** The names of all, for a statement. */
	static String[] names() {
		return ALL.stream().map(RequiredTable::name).toArray(String[]::new);
	}

	String kind() {
		return this.primaryKey.isEmpty() ? "view" : "table";
	}

}
