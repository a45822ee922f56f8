package dev.eventing.sdk.projector.lane;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

/**
 * The keys of a projector that may have an open dead letter, as its owner knows them. It
 * contains all keys that have one, and possibly some that do not any more. While it is
 * empty, events need no query. Thread-safe.
 *
 * <p>
 * It is complete because only the owner's lanes open letters of a key, and add the key
 * here before that. A key whose letters are closed stays here until a lane finds that the
 * database has no open letter of it.
 */
public final class ParkedKeys {

	private final Set<String> keys = ConcurrentHashMap.newKeySet();

	/** Call it before a letter of the key is committed. */
	void add(String parkingKey) {
		this.keys.add(parkingKey);
	}

	void addAll(Set<String> parkingKeys) {
		this.keys.addAll(parkingKeys);
	}

	/** Whether the database must be asked about an event of the key. */
	boolean mayHold(@Nullable String parkingKey) {
		return parkingKey != null && this.keys.contains(parkingKey);
	}

	boolean isEmpty() {
		return this.keys.isEmpty();
	}

	/**
	 * Removes a key of which the database has no open letter. Only for the lane of the
	 * key, because no other lane can open a letter of it.
	 */
	void forget(String parkingKey) {
		this.keys.remove(parkingKey);
	}

}
