package dev.eventing.sdk.projector.lane;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

/**
 * The keys of a projector that may have an open dead letter, as its owner knows them: all
 * that do, and perhaps some that do not any more. While nothing is dead, an event costs a
 * look into an empty set. Thread-safe.
 *
 * <p>
 * Complete because only the owner's lanes open letters of a key, each after it was added
 * here; whoever closes letters leaves the key here, and it is forgotten when the database
 * has no open letter of it.
 */
public final class ParkedKeys {

	private final Set<String> keys = ConcurrentHashMap.newKeySet();

	/** Before a letter of the key is committed. */
	void add(String parkingKey) {
		this.keys.add(parkingKey);
	}

	void addAll(Set<String> parkingKeys) {
		this.keys.addAll(parkingKeys);
	}

	/** Whether an event has to ask the database first. */
	boolean mayHold(@Nullable String parkingKey) {
		return parkingKey != null && this.keys.contains(parkingKey);
	}

	boolean isEmpty() {
		return this.keys.isEmpty();
	}

	/**
	 * The database has no open letter of the key. Only for the lane of the key, which
	 * could be the one to open another.
	 */
	void forget(String parkingKey) {
		this.keys.remove(parkingKey);
	}

}
