package dev.eventing.sdk.projection;

/**
 * A rebuild of a part of a live read model.
 *
 * @param scope the part
 * @param mostEvents the most events that one transaction applies, from 1 to
 * {@link #LIMIT}; a part that has more is refused
 */
public record ScopedRebuild(RebuildScope scope, int mostEvents) {

	/** The most events of a transaction, if nothing else is said. */
	public static final int MOST_EVENTS = 100_000;

	/** The most that can be asked for. */
	public static final int LIMIT = 1_000_000;

	public ScopedRebuild {
		if (mostEvents < 1 || mostEvents > LIMIT) {
			throw new IllegalArgumentException("One transaction applies from 1 to " + LIMIT + " events, not "
					+ mostEvents + ". Consider " + MOST_EVENTS + ".");
		}
	}

	/** With the usual limit. */
	public ScopedRebuild(RebuildScope scope) {
		this(scope, MOST_EVENTS);
	}

}
