package dev.eventing.sdk.schema;

import java.util.List;
import java.util.Map;

/**
 * A table the SDK reads and writes.
 *
 * @param name its name
 * @param primaryKey the key's columns with their types; without it idempotency is lost
 * @param columns the other columns the SDK uses
 */
record RequiredTable(String name, Map<String, String> primaryKey, List<String> columns) {

	private static final String NAME = "character varying(255)";

	private static final Map<String, String> EVENT_OF_PROJECTOR = Map.of("projector_name", NAME, "event_id", "uuid",
			"tenant_id", NAME);

	static final List<RequiredTable> ALL = List.of(
			new RequiredTable("processed_events", EVENT_OF_PROJECTOR, List.of("processed_at")),
			new RequiredTable("projector_positions", Map.of("projector_name", NAME, "stream", NAME),
					List.of("stream_created", "floor", "clean_stop", "updated_at")),
			new RequiredTable("projector_attempts", EVENT_OF_PROJECTOR,
					List.of("ordering_key", "attempts", "first_attempt_at", "last_attempt_at", "next_attempt_at",
							"error_class", "error_message")),
			new RequiredTable("dead_letters", Map.of("letter_id", "uuid"),
					List.of("projector_name", "tenant_id", "event_id", "event_type", "ordering_key", "subject",
							"headers", "payload", "stream", "stream_sequence", "published_at", "reason", "error_class",
							"error_message", "stack_trace", "attempts", "first_failed_at", "dead_at", "status",
							"forwarded_at")),
			new RequiredTable("dead_letter_audit", Map.of("audit_id", "bigint"),
					List.of("letter_id", "at", "actor", "action", "detail")));

}
