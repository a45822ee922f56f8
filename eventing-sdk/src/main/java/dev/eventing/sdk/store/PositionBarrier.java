package dev.eventing.sdk.store;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The transactions that were appending when a position was the last that had been drawn.
 * Once all of them have ended every position up to that one is settled: its row is
 * visible to statements that begin now, or never will be.
 *
 * @param upTo the last position that had been drawn before the holders were looked at
 * @param holders those that have not ended, each with whether it is prepared
 */
record PositionBarrier(long upTo, Map<String, Boolean> holders) {

	boolean isOpen() {
		return this.holders.isEmpty();
	}

	/** What is left of the fence, given who holds the lock now. */
	PositionBarrier after(Map<String, Boolean> now) {
		Map<String, Boolean> left = new LinkedHashMap<>(this.holders);
		left.keySet().retainAll(now.keySet());
		if (hasLostAnUnprepared(now)) {
			// A prepared transaction goes on under another name once the server was
			// started again: one that is not seen any more may be any of these.
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
