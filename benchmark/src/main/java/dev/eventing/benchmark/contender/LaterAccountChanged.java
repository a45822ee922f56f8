package dev.eventing.benchmark.contender;

import java.time.Instant;

import dev.eventing.sdk.event.EventType;

/**
 * The same as {@link AccountChanged}, as if it were the third version of the type.
 *
 * @param account the account
 * @param change the number of the change within its account, from 1
 * @param amount by how much the balance changes, in cents
 * @param currency of the amount
 * @param bookedAt when it was booked
 * @param reference what the bank calls it
 * @param purpose what it is for
 */
@EventType(value = AccountChanged.TYPE, version = LaterAccountChanged.VERSION)
public record LaterAccountChanged(String account, long change, long amount, String currency, Instant bookedAt,
		String reference, String purpose) {

	/** The version of the type. */
	public static final int VERSION = 3;

}
