package dev.eventing.sdk.store;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The transactions that were appending when a certain position was the last drawn one.
 * Once all of them have ended, all positions up to that one are settled: their rows are
 * visible to new statements, or never will be.
 *
 * @param upTo the last position that had been drawn before the holders were read
 * @param holders the transactions that have not ended; the value is true for a prepared
 * one
 */
record PositionBarrier(long upTo, Map<String, Boolean> holders) {

	boolean isOpen() {
		return this.holders.isEmpty();
	}

	/** The barrier without the transactions that no longer hold the lock. */
	PositionBarrier after(Map<String, Boolean> now) {
		Map<String, Boolean> left = new LinkedHashMap<>(this.holders);
		left.keySet().retainAll(now.keySet());
		if (hasLostAnUnprepared(now)) {
			// After a restart of the server a prepared transaction has another name: a
			// transaction that has disappeared may be any of the prepared ones.
			now.forEach((holder, prepared) -> {
				if (prepared) {
					left.put(holder, prepared);
				}
			});
		}
		return new PositionBarrier(this.upTo, left);
	}

	private boolean hasLostAnUnprepared(Map<String, Boolean> now) {
		return this.holders.entrySet()
			.stream()
			.anyMatch((holder) -> !holder.getValue() && !now.containsKey(holder.getKey()));
	}

}
