package dev.eventing.sdk.deadletter.ledger;

import java.util.Collection;
import java.util.List;
import java.util.UUID;

import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterAction;
import dev.eventing.sdk.deadletter.Failure;
import dev.eventing.sdk.deadletter.StorableText;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.SqlArrayValue;

/**
 * The letters that the dead-letter stream has not got yet and may still take. Every
 * statement runs in the caller's transaction, or alone. Thread-safe.
 */
public final class UnforwardedLetters {

	private final JdbcClient jdbc;

	private final DeadLetterRows rows;

	private final String table;

	private final String audit;

	/** Sends no query yet. */
	public UnforwardedLetters(JdbcTemplate jdbc, EventingSchema schema, JsonMapper json) {
		this.jdbc = JdbcClient.create(jdbc);
		this.rows = new DeadLetterRows(json);
		this.table = schema.table("dead_letters");
		this.audit = schema.table("dead_letter_audit");
	}

	/** Returns the next letters after a number, oldest first, without their contents. */
	public List<Waiting> behind(long number, int limit) {
		// The partial index dead_letters_unforwarded holds nothing else, but for the
		// letters of generations that are not live, a thousand of each at most.
		return this.jdbc.sql("""
				select d.letter_id, d.letter_number, d.stream, d.projector_name, d.tenant_id, %s as bytes from %s d
				 where d.forwarded_at is null and d.forward_refusal is null and d.letter_number > :number
				   and %s
				 order by d.letter_number
				 limit :limit
				""".formatted(DeadLetterRows.BYTES, this.table, LetterConditions.LIVE))
			.param("number", number)
			.param("limit", limit)
			.query((row, at) -> new Waiting(row.getObject("letter_id", UUID.class), row.getLong("letter_number"),
					row.getString("stream"), row.getString("projector_name"), DeadLetterRows.tenant(row),
					row.getLong("bytes")))
			.list();
	}

	/** Whether a stream has confirmed any letter, ever. */
	public boolean areForwarded() {
		// Reads the table until it finds one. Asked only while no stream takes letters.
		return this.jdbc.sql("select exists (select from %s where forwarded_at is not null)".formatted(this.table))
			.query(Boolean.class)
			.single();
	}

	/** Returns these letters with their contents, oldest first. */
	public List<DeadLetter> read(Collection<UUID> letterIds) {
		// By the primary key.
		return this.jdbc
			.sql("select * from %s where letter_id = any(:ids) order by letter_number".formatted(this.table))
			.param("ids", UuidArray.of(letterIds))
			.query(this.rows)
			.list();
	}

	/**
	 * Records that the stream has confirmed these letters. A letter that was opened again
	 * since it was read has another number, and still waits.
	 */
	public void forwarded(Collection<DeadLetter> letters) {
		// By the primary key.
		this.jdbc.sql("""
				update %s set forwarded_at = now() where letter_id = any(:ids) and letter_number = any(:numbers)
				""".formatted(this.table))
			.param("ids", UuidArray.of(letters.stream().map(DeadLetter::letterId).toList()))
			.param("numbers", new SqlArrayValue("int8", letters.stream().map(DeadLetter::number).toArray()))
			.update();
	}

	/**
	 * Records that the stream can never take this letter. Changes nothing if it was
	 * opened again since it was read.
	 */
	public void refused(DeadLetter letter, String reason) {
		// By the primary key.
		this.jdbc
			.sql("""
					with refused as (
					  update %s set forward_refusal = :reason
					   where letter_id = :letterId and letter_number = :number
					  returning letter_id)
					insert into %s (letter_id, actor, action, detail) select letter_id, :actor, :action, :reason from refused
					"""
				.formatted(this.table, this.audit))
			.param("letterId", letter.letterId())
			.param("number", letter.number())
			.param("reason", StorableText.ofNullable(reason, Failure.MAX_MESSAGE))
			.param("actor", "forwarder")
			.param("action", DeadLetterAction.NOT_FORWARDED.name())
			.update();
	}

	/**
	 * A letter that is to be forwarded.
	 *
	 * @param letterId its id
	 * @param number its place among all letters
	 * @param stream the stream from which its event was delivered
	 * @param projector its projector
	 * @param tenantId the tenant of its event, or null if it is unknown
	 * @param bytes about how many bytes it has in memory
	 */
	public record Waiting(UUID letterId, long number, String stream, String projector, @Nullable TenantId tenantId,
			long bytes) {
	}

}
