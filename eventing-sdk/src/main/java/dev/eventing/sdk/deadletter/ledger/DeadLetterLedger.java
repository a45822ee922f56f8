package dev.eventing.sdk.deadletter.ledger;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.UUID;

import dev.eventing.sdk.deadletter.NewDeadLetter;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The ledger of dead letters in PostgreSQL. Statements run in the caller's transaction,
 * if there is one. Thread-safe. Logs nothing, because payloads and header values may be
 * confidential.
 */
public final class DeadLetterLedger {

	private final JdbcClient jdbc;

	private final String table;

	private final LetterInserts inserts;

	/**
	 * Sends no query yet.
	 * @param jdbc uses the DataSource that holds the SDK's tables
	 * @param schema the schema of the tables
	 * @param json writes the headers
	 */
	public DeadLetterLedger(JdbcTemplate jdbc, EventingSchema schema, JsonMapper json) {
		this.jdbc = JdbcClient.create(jdbc);
		this.table = schema.table("dead_letters");
		// By events_event. An event that a node read before its contents were erased is
		// not recorded.
		this.inserts = new LetterInserts(jdbc, schema, json, """
				not exists (select from %s e where e.event_id = :eventId and e.tenant_id = :tenantId
				               and e.metadata -> 'erased' is not null)""".formatted(schema.table("events")));
	}

	/**
	 * Records an event as a dead letter. Call it in a separate transaction, never in that
	 * of the failed handler, which rolls back. A closed letter of the event is opened
	 * again with the same id if the event is not applied, for example because its row in
	 * {@code processed_events} was deleted.
	 *
	 * <p>
	 * After the commit, no later claim of this projector gets the event. Only a claim
	 * that already waits for the failed transaction still gets it. After a crash before
	 * the commit, the event is delivered and fails again. After a later crash, this
	 * returns null at the next delivery.
	 * @return the id of the letter; null if the projector has an open letter of this
	 * event, or a closed one and the event counts as applied or has no tenant; then
	 * nothing changes
	 * @throws dev.eventing.sdk.schema.UnsafeTablesException if the letter got a number
	 * that is not above those of earlier letters; the transaction must be rolled back
	 * @throws org.springframework.dao.DataAccessException if the statement fails
	 */
	public @Nullable UUID record(NewDeadLetter letter) {
		return this.inserts.insert(letter);
	}

	/**
	 * Whether the projector has a letter of this event that is open, or was open at this
	 * time.
	 */
	public boolean hadOpen(ProjectorId projector, EventKey event, Instant at) {
		// By the unique index dead_letters_event.
		return this.jdbc.sql("""
				select exists (select from %s
				                where projector_name = :projector and tenant_id = :tenantId and event_id = :eventId
				                  and (closed_at is null or closed_at > :at))
				""".formatted(this.table))
			.param("projector", projector.inColumn())
			.param("tenantId", event.tenantId().value())
			.param("eventId", event.eventId())
			.param("at", at.atOffset(ZoneOffset.UTC))
			.query(Boolean.class)
			.single();
	}

}
