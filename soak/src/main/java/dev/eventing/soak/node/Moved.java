package dev.eventing.soak.node;

import dev.eventing.sdk.event.EventType;

/**
 * An account moved on by one version.
 *
 * @param account whose event it is, and the key of its order
 * @param version counted from 1, without a gap
 * @param mood how handlers take it
 */
@EventType("moved")
public record Moved(String account, long version, Mood mood) {

	/** How handlers take an event. */
	public enum Mood {

		/** It is applied. */
		PLAIN,

		/** Half of its attempts fail, until what is wrong is mended. */
		FLAKY,

		/** Every attempt fails, until what is wrong is mended. */
		POISON

	}

}
