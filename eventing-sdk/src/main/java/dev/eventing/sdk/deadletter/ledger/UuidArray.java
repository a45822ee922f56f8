package dev.eventing.sdk.deadletter.ledger;

import java.util.Collection;
import java.util.UUID;

import org.springframework.jdbc.support.SqlArrayValue;

/**
 * Ids as one parameter, so that a statement is the same for any number of them. Sent as
 * {@code uuid[]}: a cast from text would be read anew for each row that is compared with
 * it.
 */
public final class UuidArray {

	private UuidArray() {
	}

	public static SqlArrayValue of(Collection<UUID> ids) {
		return new SqlArrayValue("uuid", ids.toArray());
	}

}
