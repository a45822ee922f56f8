package dev.eventing.sdk.deadletter.ledger;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.NewDeadLetter;
import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.schema.EventingSchema;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The ledger of dead letters in PostgreSQL. Thread-safe; logs nothing, since payloads and
 * header values may be confidential.
 */
public final class DeadLetterLedger {

	private final JdbcClient jdbc;

	private final DeadLetterRows rows;

	private final String table;

	private final NamedParameterJdbcOperations inserts;

	private final NewLetterRows newRows;

	private final String insert;

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
		this.inserts = new NamedParameterJdbcTemplate(jdbc);
		this.newRows = new NewLetterRows(this.rows);
		this.insert = NewLetterRows.insert(schema, "true");
	}

	/**
	 * Parks an event. Runs in a transaction of the caller's own, never in the one whose
	 * handler failed: that one rolls back. Once committed, no claim of this projector
	 * that starts later gets the event; one that waits for the failed transaction
	 * already, still does. After a crash before the commit the event is delivered and
	 * fails once more; after it, this says false at the next delivery. A closed letter of
	 * an event that is not applied, such as one whose row in {@code processed_events} was
	 * deleted, is opened again under its id.
	 * @return false if the ledger has an open letter of this event of this projector, or
	 * a closed one and the event counts as applied; then nothing changes
	 * @throws org.springframework.dao.DataAccessException if the database cannot be asked
	 */
	public boolean record(NewDeadLetter letter) {
		return this.inserts.update(this.insert, this.newRows.parameters(letter)) == 1;
	}

	/**
	 * Whether the projector has a letter of this event that is open, or was when this
	 * happened.
	 */
	public boolean hadOpen(String projector, EventKey event, Instant at) {
		// By the unique index.
		return this.jdbc.sql("""
				select exists (select from %s
				                where projector_name = :projector and tenant_id = :tenantId and event_id = :eventId
				                  and (closed_at is null or closed_at > :at))
				""".formatted(this.table))
			.param("projector", projector)
			.param("tenantId", event.tenantId().value())
			.param("eventId", event.eventId())
			.param("at", at.atOffset(ZoneOffset.UTC))
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

}
