package dev.eventing.sdk.projector.rebuild;

import java.util.Set;

import dev.eventing.sdk.deadletter.ledger.MendedLetters;
import dev.eventing.sdk.deadletter.ledger.OpenLetters;
import dev.eventing.sdk.deadletter.ledger.RedriveLedger;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.idempotency.ProcessedEvents;
import dev.eventing.sdk.projector.transaction.FillingClaims;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The claims of events that were applied in place of messages without a tenant, at a
 * switch. A letter of such a message does not have the key of its event, so the exchange
 * of letters does not find these claims. Runs in the caller's transaction.
 */
final class MendedClaims {

	private final JdbcTemplate jdbc;

	private final EventingSchema schema;

	private final MendedLetters letters;

	private final ProcessedEvents processed;

	private final ProjectorId live;

	/** Sends no query yet. */
	MendedClaims(JdbcTemplate jdbc, EventingSchema schema, ProjectorId live) {
		this.jdbc = jdbc;
		this.schema = schema;
		this.live = live;
		this.letters = new MendedLetters(jdbc, schema, live);
		this.processed = new ProcessedEvents(jdbc, schema, new OpenLetters(schema));
	}

	/**
	 * Records in the letters which of these events each generation has applied when they
	 * came again with their tenants. The claims that show it are gone after later
	 * switches. Call it before the exchange of the letters.
	 */
	void note(ProjectorId next) {
		RedriveLedger ledger = new RedriveLedger(this.jdbc, this.schema);
		this.letters.unnoted(this.live, next).forEach((letter, event) -> {
			if (this.processed.isApplied(this.live, event)) {
				ledger.mended(letter, event);
			}
		});
		this.letters.unnoted(next, this.live).forEach((letter, event) -> {
			if (!FillingClaims.applied(this.jdbc, this.schema, next, Set.of(event)).isEmpty()) {
				ledger.mended(letter, event);
			}
		});
	}

	/**
	 * Makes them those of the next generation, after the letters are exchanged. Else a
	 * redrive in it would take the event for a duplicate. The former one keeps its own:
	 * it is fed on, and the event may come again.
	 */
	void exchange(ProjectorId former, ProjectorId next) {
		Set<EventKey> notApplied = this.letters.onlyIn(former);
		if (!notApplied.isEmpty()) {
			notApplied.removeAll(FillingClaims.applied(this.jdbc, this.schema, next, notApplied));
			this.processed.unclaim(this.live, notApplied);
			FillingClaims.keep(this.jdbc, this.schema, former, notApplied);
		}
		this.letters.claim(former);
	}

}
