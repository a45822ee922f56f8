package dev.eventing.sdk.projection.ledger;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A pause of a projector that an operator requested.
 *
 * @param actor who requested it
 * @param reason the reason, or null
 * @param since when, by the database's clock
 */
public record Pause(String actor, @Nullable String reason, Instant since) {

	/** For the status. */
	public String describe() {
		return "paused by " + this.actor + ((this.reason != null) ? ": " + this.reason : "");
	}

}
