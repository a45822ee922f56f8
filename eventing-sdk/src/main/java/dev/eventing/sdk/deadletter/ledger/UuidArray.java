package dev.eventing.sdk.deadletter.ledger;

import java.util.Collection;
import java.util.UUID;

import org.springframework.jdbc.support.SqlArrayValue;

/**
 * Ids as one parameter, so that the statement is the same for any number of them. Sent as
 * {@code uuid[]}, because PostgreSQL would parse a cast from text again for each row.
 */
final class UuidArray {

	private UuidArray() {
	}

	static SqlArrayValue of(Collection<UUID> ids) {
		return new SqlArrayValue("uuid", ids.toArray());
	}

}
