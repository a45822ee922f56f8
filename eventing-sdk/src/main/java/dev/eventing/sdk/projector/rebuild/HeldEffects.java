package dev.eventing.sdk.projector.rebuild;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import dev.eventing.sdk.projection.ledger.EffectTarget;

/**
 * The streams whose due effects are held up, so that the effects of others are appended
 * and each stream has its own in their order. A stream is refused, or it waits for the
 * next round because its failure may pass. One that has waited for some rounds in a row
 * is refused, too. A round ends when the due effects of all other streams are appended.
 * Used by one thread.
 */
final class HeldEffects {

	/** The rounds after which a failure that may pass counts as one that does not. */
	private static final int PATIENCE = 5;

	/** More would make the statement that looks for others too large. */
	private static final int MOST = 10_000;

	/** With the reason. */
	private final Map<EffectTarget, String> refused = new LinkedHashMap<>();

	/** With the reason. */
	private final Map<EffectTarget, String> waiting = new LinkedHashMap<>();

	/** How many rounds in a row each stream has waited, also before a restart. */
	private final Map<EffectTarget, Integer> rounds = new HashMap<>();

	/** Those that were refused before a restart, until they have their effects. */
	private final Set<EffectTarget> formerly = new HashSet<>();

	/** Begins again after a restart: what was refused is tried again. */
	void begin() {
		this.formerly.addAll(this.refused.keySet());
		this.refused.clear();
		this.waiting.clear();
	}

	/** Holds a stream up until the next restart. */
	void refuse(EffectTarget target, String reason) {
		this.refused.put(target, reason);
	}

	/** Holds a stream up until the next round, if it has not waited too often. */
	void await(EffectTarget target, String reason) {
		if (this.rounds.getOrDefault(target, 0) >= PATIENCE) {
			refuse(target, reason);
		}
		else {
			this.waiting.put(target, reason);
		}
	}

	/**
	 * Ends a round in which the database has answered.
	 * @return whether there is another one, for streams that wait
	 */
	boolean endRound() {
		Set<EffectTarget> held = new HashSet<>(targets());
		this.rounds.keySet().retainAll(held);
		this.formerly.retainAll(held);
		this.waiting.forEach((target, reason) -> {
			if (this.rounds.merge(target, 1, Integer::sum) >= PATIENCE) {
				refuse(target, reason);
			}
		});
		this.waiting.keySet().removeAll(this.refused.keySet());
		boolean another = !this.waiting.isEmpty();
		this.waiting.clear();
		return another;
	}

	/** Gives a round up in which the database does not answer. It does not count. */
	void giveRoundUp() {
		this.waiting.clear();
	}

	boolean isHeld(EffectTarget target) {
		return this.refused.containsKey(target) || this.waiting.containsKey(target);
	}

	Collection<EffectTarget> targets() {
		Set<EffectTarget> all = new HashSet<>(this.refused.keySet());
		all.addAll(this.waiting.keySet());
		return all;
	}

	/** Whether no more can be held up. */
	boolean isFull() {
		return this.refused.size() + this.waiting.size() >= MOST;
	}

	/** Whether some are refused, or were so before the restart and are not sent yet. */
	boolean isSomeRefused() {
		return !this.refused.isEmpty() || !this.formerly.isEmpty();
	}

	/** Those that are refused now, with the reason. */
	Map<EffectTarget, String> refused() {
		return this.refused;
	}

}
