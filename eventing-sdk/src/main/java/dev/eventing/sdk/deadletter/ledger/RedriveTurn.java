package dev.eventing.sdk.deadletter.ledger;

import java.util.UUID;

/**
 * The letters of a redrive that may run next.
 *
 * @param redriveId the redrive, or {@link #AUTOMATIC}
 * @param after the number of the last letter of it that need not be looked at; 0 for none
 */
public record RedriveTurn(UUID redriveId, long after) {

	/** Stands for all redrives that no operator has requested. They have no id. */
	public static final UUID AUTOMATIC = new UUID(0, 0);

}
