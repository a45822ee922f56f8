package dev.eventing.sdk.operator;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/** Letters in the ledger, put there as projectors do. */
final class Letters {

	static final String PAYLOAD = "{\"name\":\"secret of <b>Ada</b>\"}";

	private final JdbcTemplate jdbc;

	Letters(DataSource dataSource) {
		this.jdbc = new JdbcTemplate(dataSource);
	}

	void clear() {
		this.jdbc.execute("truncate eventing.dead_letters, eventing.dead_letter_audit, eventing.dead_letter_redrives, "
				+ "eventing.processed_events");
	}

	UUID add(String projector, @Nullable String tenant, @Nullable String key) {
		UUID letterId = UUID.randomUUID();
		this.jdbc.update("""
				insert into eventing.dead_letters (letter_id, projector_name, tenant_id, event_id, event_type,
				       ordering_key, parking_key, subject, headers, payload, stream, stream_sequence, published_at,
				       reason, error_class, error_message, stack_trace, attempts, first_failed_at)
				values (?, ?, ?, ?, 'user.created', ?, ?, 'users.created',
				       '{"ce-type": ["user.created"], "Authorization": ["Bearer 123"]}', ?, 'USERS', 1, now(),
				       'ATTEMPTS_EXHAUSTED', 'java.lang.IllegalStateException', 'no room',
				       'java.lang.IllegalStateException: no room', 3, now())
				""", letterId, projector, (tenant != null) ? tenant : "", UUID.randomUUID(), key,
				(tenant != null && key != null) ? tenant + "/" + key : null, PAYLOAD.getBytes(StandardCharsets.UTF_8));
		return letterId;
	}

	String status(UUID letterId) {
		return one("select status from eventing.dead_letters where letter_id = ?", letterId);
	}

	/** Who did what to a letter, such as {@code DISCARDED by ada}. */
	List<String> audit(UUID letterId) {
		return this.jdbc.queryForList("""
				select action || ' by ' || actor from eventing.dead_letter_audit where letter_id = ? order by audit_id
				""", String.class, letterId);
	}

	String editedPayload(UUID letterId) {
		return one("select convert_from(edited_payload, 'UTF8') from eventing.dead_letters where letter_id = ?",
				letterId);
	}

	private String one(String sql, UUID letterId) {
		return String.valueOf(this.jdbc.queryForObject(sql, String.class, letterId));
	}

	/** All that a change would change. */
	List<String> all() {
		return this.jdbc.queryForList("""
				select d::text from eventing.dead_letters d
				union all select a::text from eventing.dead_letter_audit a
				union all select r::text from eventing.dead_letter_redrives r
				union all select p::text from eventing.processed_events p
				order by 1""", String.class);
	}

}
