package dev.eventing.sdk.deadletter.ledger;

import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.eventing.sdk.schema.ErasedCount;
import dev.eventing.sdk.schema.ErasedStream;
import dev.eventing.sdk.schema.ErasureStatement;
import dev.eventing.sdk.schema.ErasureStep;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.TableRights;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Discards the dead letters of a stream's events, and erases what they hold. Their rows
 * stay, with ids, type, place and reason. Thread-safe.
 */
public final class LetterErasure implements ErasureStep {

	/** Who discards the letters, in their audit. */
	private static final String ACTOR = "erasure";

	private final EventingSchema schema;

	private final String letters;

	private final String audit;

	/** Sends no query yet. */
	public LetterErasure(EventingSchema schema) {
		this.schema = schema;
		this.letters = schema.table("dead_letters");
		this.audit = schema.table("dead_letter_audit");
	}

	@Override
	public Set<String> tables() {
		return Set.of("dead_letters", "dead_letter_audit");
	}

	@Override
	public List<TableRights> rights() {
		return List.of(TableRights.of("dead_letters", "select", "update"),
				TableRights.of("dead_letter_audit", "select", "insert", "update"),
				TableRights.of("dead_letter_redrives", "insert"),
				TableRights.of("processed_events", "select", "insert"));
	}

	@Override
	public List<ErasureStatement> statements(ErasedStream stream) {
		return List.of(contents(stream), remarks(stream));
	}

	@Override
	public List<ErasedCount> erase(ErasedStream stream, JdbcClient jdbc) {
		// Letters behind a discarded one are redriven: another stream may share the key.
		new LetterDiscards(jdbc, this.schema)
			.discard(new LetterConditions(ofStream(stream), Map.copyOf(stream.params()), "erased"), ACTOR, "erased");
		jdbc.sql("""
				insert into %s (letter_id, actor, action)
				select d.letter_id, '%s', 'ERASED' from %s d where %s""".formatted(this.audit, ACTOR, this.letters,
				held(stream)))
			.params(stream.params())
			.update();
		return ErasureStep.super.erase(stream, jdbc);
	}

	/**
	 * What is forwarded already is in the dead-letter stream, under a subject that other
	 * letters share.
	 */
	@Override
	public List<String> outside(ErasedStream stream, JdbcClient jdbc) {
		return jdbc
			.sql("""
					select 'dlq.' || d.stream || '.' || split_part(d.projector_name, '#', 1) || '.'
					       || coalesce(nullif(d.tenant_id, ''), '_'), count(*), min(d.letter_id::text)
					  from %s d where %s and d.forwarded_at is not null group by 1 order by 1""".formatted(this.letters,
					ofStream(stream)))
			.params(stream.params())
			.query((row, number) -> "nats stream purge DLQ_STREAM --subject '" + row.getString(1)
					+ "' # the dead-letter stream; it has " + row.getLong(2)
					+ " copies with the header Eventing-Dead-Letter-Id of these letters, such as '" + row.getString(3)
					+ "', and those of other streams under this subject")
			.list();
	}

	/**
	 * By the tenant and the event, or by the position of a row that could not be read.
	 * Reads all letters of the tenant.
	 */
	private static String ofStream(ErasedStream stream) {
		return """
				(d.tenant_id in (:tenant, '') and d.event_id in (%s)
				 or d.tenant_id = '' and d.stream = 'event-store' and d.stream_sequence in (%s))"""
			.formatted(stream.eventIds(), stream.positions());
	}

	/**
	 * The condition for letters that still have contents. A key may come from the
	 * payload, and an error text from the handler.
	 */
	private static String held(ErasedStream stream) {
		return ofStream(stream) + """
				and (octet_length(d.payload) > 0 or d.headers <> '{}' or d.edited_payload is not null
				     or d.error_message is not null or d.stack_trace is not null or d.ordering_key is not null
				     or d.parking_key is not null)""";
	}

	private ErasureStatement contents(ErasedStream stream) {
		return ErasureStatement.setting("dead letters", this.letters + " d", """
				payload = '', headers = '{}', edited_payload = null, error_message = null, stack_trace = null,
				ordering_key = null, parking_key = null,
				forward_refusal = case when forwarded_at is null then 'Its contents were erased.' end""", held(stream));
	}

	/** The texts of operators and failures in their audit. */
	private ErasureStatement remarks(ErasedStream stream) {
		return ErasureStatement.setting("remarks on dead letters", this.audit + " a", "detail = null",
				("a.detail is not null and a.actor <> '" + ACTOR
						+ "' and a.letter_id in (select d.letter_id from %s d where %s)")
					.formatted(this.letters, ofStream(stream)));
	}

}
