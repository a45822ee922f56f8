package dev.eventing.sdk.deadletter.ledger;

import java.sql.Types;
import java.util.UUID;

import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.DeadLetterClosedException;
import dev.eventing.sdk.deadletter.DeadLetterStatus;
import dev.eventing.sdk.deadletter.EditedPayload;
import dev.eventing.sdk.deadletter.StorableText;
import dev.eventing.sdk.deadletter.UnknownDeadLetterException;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.simple.JdbcClient;

/** Sets another payload for the redrives of a letter, in the caller's transaction. */
final class LetterEdits {

	private final JdbcClient jdbc;

	private final DeadLetterRows rows;

	private final String letters;

	private final String audit;

	private final EditedPayload check;

	LetterEdits(JdbcClient jdbc, EventingSchema schema, JsonMapper json) {
		this.jdbc = jdbc;
		this.check = new EditedPayload(json);
		this.rows = new DeadLetterRows(json);
		this.letters = schema.table("dead_letters");
		this.audit = schema.table("dead_letter_audit");
	}

	/**
	 * Edits the letter.
	 * @param conditions select the letter, if it is in the scope
	 * @param payload the payload, or null to use the original again
	 */
	void edit(UUID letterId, LetterConditions conditions, byte @Nullable [] payload, String actor, String reason) {
		DeadLetter letter = requireOpen(letterId, conditions);
		if (payload != null) {
			this.check.accept(letter, payload);
		}
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

	/** Locks the letter, so that a redrive uses either the old or the new payload. */
	private DeadLetter requireOpen(UUID letterId, LetterConditions conditions) {
		// By the primary key.
		DeadLetter letter = this.jdbc
			.sql("select d.* from %s d where %s for update".formatted(this.letters, conditions.sql()))
			.params(conditions.params())
			.query(this.rows)
			.optional()
			.orElseThrow(() -> new UnknownDeadLetterException(letterId));
		DeadLetterStatus status = letter.status();
		if (status == DeadLetterStatus.RESOLVED || status == DeadLetterStatus.DISCARDED) {
			throw new DeadLetterClosedException(letterId, status);
		}
		return letter;
	}

}
