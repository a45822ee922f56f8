package dev.eventing.benchmark.contender;

import java.time.Instant;

import dev.eventing.sdk.event.EventType;

/**
 * The payload of every event: a change of an account's balance, about 220 bytes of JSON.
 *
 * @param account the account, which is also the event's stream and its ordering key
 * @param change the number of the change within its account, from 1
 * @param amount by how much the balance changes, in cents; may be negative
 * @param currency of the amount
 * @param bookedAt when it was booked
 * @param reference what the bank calls it
 * @param purpose what it is for
 */
@EventType(AccountChanged.TYPE)
public record AccountChanged(String account, long change, long amount, String currency, Instant bookedAt,
		String reference, String purpose) {

	/** The type's name on the wire, the header {@code ce-type}. */
	public static final String TYPE = "changed";

}
