package dev.eventing.sdk.projector.rebuild;

import java.util.Set;

import dev.eventing.sdk.deadletter.ledger.MendedLetters;
import dev.eventing.sdk.deadletter.ledger.OpenLetters;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.idempotency.ProcessedEvents;
import dev.eventing.sdk.projector.transaction.FillingClaims;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The claims that redrives of mended messages without a tenant have taken, at a switch. A
 * letter of such a message does not have the key of its event, so the exchange of letters
 * does not find these claims. Runs in the caller's transaction.
 */
final class MendedClaims {

	private final JdbcTemplate jdbc;

	private final EventingSchema schema;

	private final MendedLetters letters;

	private final ProjectorId live;

	/** Sends no query yet. */
	MendedClaims(JdbcTemplate jdbc, EventingSchema schema, ProjectorId live) {
		this.jdbc = jdbc;
		this.schema = schema;
		this.live = live;
		this.letters = new MendedLetters(jdbc, schema, live);
	}

	/**
	 * Makes them those of the next generation, after the letters are exchanged. Else a
	 * redrive in it would take the event for a duplicate.
	 */
	void exchange(ProjectorId former, ProjectorId next) {
		Set<EventKey> notApplied = this.letters.onlyIn(former);
		if (!notApplied.isEmpty()) {
			notApplied.removeAll(FillingClaims.applied(this.jdbc, this.schema, next, notApplied));
			new ProcessedEvents(this.jdbc, this.schema, new OpenLetters(this.schema)).unclaim(this.live, notApplied);
		}
		this.letters.claim(former);
	}

}
