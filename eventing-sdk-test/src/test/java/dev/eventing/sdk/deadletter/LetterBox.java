package dev.eventing.sdk.deadletter;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import javax.sql.DataSource;

import dev.eventing.sdk.deadletter.ledger.RedriveLetter;
import dev.eventing.sdk.deadletter.ledger.RedriveQueue;
import dev.eventing.sdk.deadletter.ledger.RedriveTurn;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/** The database of a test, and letters put in as projectors do. */
final class LetterBox {

	static final EventingSchema SCHEMA = EventingSchema.defaults();

	final DataSource dataSource;

	final JdbcTemplate jdbc;

	LetterBox(Fixture fixture) {
		this.dataSource = fixture.dataSource();
		this.jdbc = fixture.jdbc();
	}

	/** A letter that failed; its event is another one than that of any other letter. */
	UUID failed(String projector, @Nullable String tenant, @Nullable String key) {
		return add(this.jdbc, projector, tenant, key, "ATTEMPTS_EXHAUSTED", 3);
	}

	/** A letter that is parked behind another one. */
	UUID behind(String projector, @Nullable String tenant, String key) {
		return add(this.jdbc, projector, tenant, key, "BEHIND", 0);
	}

	/** The same on a connection whose transaction is the caller's. */
	static UUID behind(JdbcTemplate jdbc, String projector, String tenant, String key) {
		return add(jdbc, projector, tenant, key, "BEHIND", 0);
	}

	private static UUID add(JdbcTemplate jdbc, String projector, @Nullable String tenant, @Nullable String key,
			String reason, int attempts) {
		UUID letterId = UUID.randomUUID();
		boolean failed = attempts > 0;
		jdbc.update("""
				insert into eventing.dead_letters (letter_id, projector_name, tenant_id, event_id, event_type,
				       ordering_key, parking_key, subject, headers, payload, stream, stream_sequence, published_at,
				       reason, error_class, error_message, stack_trace, attempts, first_failed_at)
				values (?, ?, ?, ?, 'order.placed', ?, ?, 'orders.placed', '{"ce-type": ["order.placed"]}', ?,
				        'ORDERS', 1, now(), ?, ?, ?, ?, ?, now())
				""", letterId, projector, (tenant != null) ? tenant : "", UUID.randomUUID(), key,
				(tenant != null && key != null) ? tenant + "/" + key : null,
				"{\"total\":12}".getBytes(StandardCharsets.UTF_8), reason,
				failed ? "java.lang.IllegalStateException" : null, failed ? "no stock" : null,
				failed ? "java.lang.IllegalStateException: no stock\n\tat Orders.on(Orders.java:7)" : null, attempts);
		return letterId;
	}

	/** The next letters to run, of all redrives, on a connection of the caller's. */
	static List<RedriveLetter> next(JdbcTemplate jdbc, String projector, int limit) {
		RedriveQueue queue = new RedriveQueue(jdbc, SCHEMA);
		ProjectorId id = ProjectorId.of(projector);
		List<RedriveTurn> turns = queue.redrives(id).stream().map((redrive) -> new RedriveTurn(redrive, 0)).toList();
		return queue.next(id, turns, Set.of(), limit, Long.MAX_VALUE);
	}

	/** The effect of a redrive on a letter: its handler has run. */
	void resolve(UUID letterId) {
		this.jdbc.update("update eventing.dead_letters set status = 'RESOLVED', closed_at = now() where letter_id = ?",
				letterId);
	}

	void status(UUID letterId, DeadLetterStatus status) {
		this.jdbc.update("update eventing.dead_letters set status = ? where letter_id = ?", status.name(), letterId);
	}

	long number(String sql) {
		Long number = this.jdbc.queryForObject(sql, Long.class);
		return (number != null) ? number : 0;
	}

	/**
	 * All that is in the tables that operators change, to see that nothing has changed.
	 */
	List<String> all() {
		return this.jdbc.queryForList("""
				select d::text from eventing.dead_letters d
				union all select a::text from eventing.dead_letter_audit a
				union all select r::text from eventing.dead_letter_redrives r
				union all select p::text from eventing.processed_events p
				order by 1""", String.class);
	}

	boolean isProcessed(UUID letterId) {
		return Boolean.TRUE.equals(this.jdbc.queryForObject("""
				select exists (select from eventing.processed_events join eventing.dead_letters
				         using (projector_name, tenant_id, event_id) where letter_id = ?)
				""", Boolean.class, letterId));
	}

}
