package dev.eventing.soak.fault;

import java.util.List;

/**
 * One fault of a plan.
 *
 * @param kind what goes wrong
 * @param node on which node, where it is about one
 * @param millis for how long
 * @param calm how long all is well afterwards, in milliseconds
 * @param overlapping whether the next one begins in the middle of it
 * @param dice any number, for what else there is to choose
 */
public record Step(FaultKind kind, int node, long millis, long calm, boolean overlapping, int dice) {

	/** One of these, by the dice. */
	<T> T one(List<T> choices) {
		return choices.get(Math.floorMod(this.dice, choices.size()));
	}

}
