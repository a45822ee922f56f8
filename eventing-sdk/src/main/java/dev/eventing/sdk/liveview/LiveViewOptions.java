package dev.eventing.sdk.liveview;

/**
 * Options of all live views.
 *
 * @param maxStateBytes the most bytes that a state may have as JSON, if its view sets
 * nothing else
 * @param frames whether this node pushes frames; states are kept regardless. Must be the
 * same on all nodes of a view: subscribers do not learn of changes by hand on a node
 * without frames, while the owner pushes frames
 */
public record LiveViewOptions(int maxStateBytes, boolean frames) {

	/** 256 KiB, and frames are pushed. */
	public static final LiveViewOptions DEFAULTS = new LiveViewOptions(256 << 10, true);

	/**
	 * Checks the options.
	 * @throws InvalidLiveViewException if one is not valid
	 */
	public LiveViewOptions {
		if (maxStateBytes < 2) {
			throw new InvalidLiveViewException("The limit of states of live views is " + maxStateBytes
					+ " bytes, in which no state has room. Consider 262144.");
		}
	}

}
