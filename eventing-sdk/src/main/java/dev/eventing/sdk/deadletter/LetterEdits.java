package dev.eventing.sdk.deadletter;

import java.sql.Types;
import java.util.UUID;

import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.simple.JdbcClient;

/** Replaces the payload of letters for their redrives, in the caller's transaction. */
final class LetterEdits {

	private final JdbcClient jdbc;

	private final String letters;

	private final String audit;

	LetterEdits(JdbcClient jdbc, EventingSchema schema) {
		this.jdbc = jdbc;
		this.letters = schema.table("dead_letters");
		this.audit = schema.table("dead_letter_audit");
	}

	/**
	 * Edits the letter.
	 * @param conditions name the letter, if it is within reach
	 */
	void edit(UUID letterId, LetterConditions conditions, byte @Nullable [] payload, String actor, String reason) {
		requireOpen(letterId, conditions);
		// By the primary key.
		this.jdbc.sql("update %s set edited_payload = :payload where letter_id = :letterId".formatted(this.letters))
			.param("payload", payload, Types.BINARY)
			.param("letterId", letterId)
			.update();
		String what = (payload != null) ? "payload of " + payload.length + " bytes: " : "original payload again: ";
		this.jdbc.sql("""
				insert into %s (letter_id, actor, action, detail) values (:letterId, :actor, 'EDITED', :detail)
				""".formatted(this.audit))
			.param("letterId", letterId)
			.param("actor", StorableText.of(actor))
			.param("detail", what + StorableText.of(reason))
			.update();
	}

	/** Locks the letter: a redrive of it takes the one payload or the other. */
	private void requireOpen(UUID letterId, LetterConditions conditions) {
		// By the primary key.
		DeadLetterStatus status = this.jdbc
			.sql("select d.status from %s d where %s for update".formatted(this.letters, conditions.sql()))
			.params(conditions.params())
			.query(DeadLetterStatus.class)
			.optional()
			.orElseThrow(() -> new UnknownDeadLetterException(letterId));
		if (status == DeadLetterStatus.RESOLVED || status == DeadLetterStatus.DISCARDED) {
			throw new DeadLetterClosedException(letterId, status);
		}
	}

}
