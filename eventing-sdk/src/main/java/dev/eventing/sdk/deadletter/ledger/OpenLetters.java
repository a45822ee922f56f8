package dev.eventing.sdk.deadletter.ledger;

import dev.eventing.sdk.idempotency.HeldEvents;
import dev.eventing.sdk.schema.EventingSchema;

/**
 * Conditions for the statements of other packages: which events have an open letter. A
 * letter is open until it is resolved or discarded.
 */
public final class OpenLetters implements HeldEvents {

	private final String letters;

	/** Sends no query. */
	public OpenLetters(EventingSchema schema) {
		this.letters = schema.table("dead_letters");
	}

	/** By {@code dead_letters_event}, of which it needs the first entry. */
	@Override
	public String any(String projector) {
		return "exists (select from %s where projector_name = %s)".formatted(this.letters, projector);
	}

	/** By {@code dead_letters_event}. */
	@Override
	public String isHeld(String projector, String tenant, String event) {
		return """
				(select d.status in ('PARKED', 'REDRIVING')
				   from %s d
				  where d.projector_name = %s and d.tenant_id = %s and d.event_id = %s)""".formatted(this.letters,
				projector, tenant, event);
	}

}
