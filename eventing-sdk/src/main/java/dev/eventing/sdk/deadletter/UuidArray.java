package dev.eventing.sdk.deadletter;

import java.util.Collection;
import java.util.UUID;
import java.util.stream.Collectors;

/** Ids as one parameter, so that a statement is the same for any number of them. */
final class UuidArray {

	private UuidArray() {
	}

	/** The text that PostgreSQL casts to {@code uuid[]}. */
	static String of(Collection<UUID> ids) {
		return ids.stream().map(UUID::toString).collect(Collectors.joining(",", "{", "}"));
	}

}
