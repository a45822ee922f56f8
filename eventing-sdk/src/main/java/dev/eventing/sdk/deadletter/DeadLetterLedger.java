package dev.eventing.sdk.deadletter;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.schema.EventingSchema;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The ledger of dead letters in PostgreSQL. Thread-safe; logs nothing, since payloads and
 * header values may be confidential.
 */
public final class DeadLetterLedger {

	private final JdbcClient jdbc;

	private final DeadLetterRows rows;

	private final String table;

	/**
	 * Looks at no database yet.
	 * @param jdbc of the DataSource that holds the SDK's tables
	 * @param schema where the tables are
	 * @param json writes and reads the headers
	 */
	public DeadLetterLedger(JdbcTemplate jdbc, EventingSchema schema, JsonMapper json) {
		this.jdbc = JdbcClient.create(jdbc);
		this.rows = new DeadLetterRows(json);
		this.table = schema.table("dead_letters");
	}

	/**
	 * Parks an event. Runs in a transaction of the caller's own, never in the one whose
	 * handler failed: that one rolls back. Once committed, no claim of this projector
	 * that starts later gets the event; one that waits for the failed transaction
	 * already, still does. After a crash before the commit the event is delivered and
	 * fails once more; after it, this says false at the next delivery.
	 * @return false if the ledger has this event of this projector already, in any
	 * status; then nothing changes
	 * @throws org.springframework.dao.DataAccessException if the database cannot be asked
	 */
	public boolean record(NewDeadLetter letter) {
		TenantId tenant = letter.tenantId();
		Failure failure = letter.failure();
		// The unique constraint dead_letters_event decides, also between two that insert
		// at once: the second waits for the first to end.
		return this.jdbc.sql("""
				insert into %s (letter_id, projector_name, tenant_id, event_id, event_type, ordering_key,
				                subject, headers, payload, stream, stream_sequence, published_at,
				                reason, error_class, error_message, stack_trace, attempts, first_failed_at)
				values (:letterId, :projector, :tenantId, :eventId, :eventType, :orderingKey,
				        :subject, cast(:headers as jsonb), :payload, :stream, :streamSequence, :publishedAt,
				        :reason, :errorClass, :errorMessage, :stackTrace, :attempts, :firstFailedAt)
				on conflict (projector_name, tenant_id, event_id) do nothing
				""".formatted(this.table))
			.param("letterId", UUID.randomUUID())
			.param("projector", letter.projector())
			.param("tenantId", (tenant != null) ? tenant.value() : "")
			.param("eventId", letter.eventId())
			.param("eventType", StorableText.ofNullable(letter.eventType()))
			.param("orderingKey", StorableText.ofNullable(letter.orderingKey()))
			.param("subject", StorableText.of(letter.event().subject()))
			.param("headers", this.rows.json(letter.event().headers()))
			.param("payload", letter.event().payload())
			.param("stream", letter.stream())
			.param("streamSequence", letter.streamSequence())
			.param("publishedAt", utc(letter.publishedAt()))
			.param("reason", StorableText.of(letter.reason()))
			.param("errorClass", (failure != null) ? failure.errorClass() : null)
			.param("errorMessage", (failure != null) ? failure.message() : null)
			.param("stackTrace", (failure != null) ? failure.stackTrace() : null)
			.param("attempts", letter.attempts())
			.param("firstFailedAt", utc(letter.firstFailedAt()))
			.update() == 1;
	}

	/** Whether the projector has a letter of this event, in any status. */
	public boolean contains(String projector, EventKey event) {
		// By the unique index.
		return this.jdbc.sql("""
				select exists (select from %s
				                where projector_name = :projector and tenant_id = :tenantId and event_id = :eventId)
				""".formatted(this.table))
			.param("projector", projector)
			.param("tenantId", event.tenantId().value())
			.param("eventId", event.eventId())
			.query(Boolean.class)
			.single();
	}

	/** The letter with this id, in any status. */
	public Optional<DeadLetter> find(UUID letterId) {
		// By the primary key.
		return this.jdbc.sql("select * from %s where letter_id = :letterId".formatted(this.table))
			.param("letterId", letterId)
			.query(this.rows)
			.optional();
	}

	/**
	 * The projector's letters in any status, newest first.
	 * @param limit how many at most
	 */
	public List<DeadLetter> find(String projector, int limit) {
		// By the unique index's first column, then a sort: a page for people, not a path
		// that events take.
		return this.jdbc.sql("""
				select * from %s
				 where projector_name = :projector
				 order by dead_at desc, stream_sequence desc, letter_id
				 limit :limit
				""".formatted(this.table)).param("projector", projector).param("limit", limit).query(this.rows).list();
	}

	/** How many letters the projector has, in any status. */
	public long count(String projector) {
		// An index-only scan over the unique index's first column.
		return this.jdbc.sql("select count(*) from %s where projector_name = :projector".formatted(this.table))
			.param("projector", projector)
			.query(Long.class)
			.single();
	}

	private static OffsetDateTime utc(Instant instant) {
		return instant.atOffset(ZoneOffset.UTC);
	}

}
