package dev.eventing.sdk.liveview;

import java.util.Map;

/**
 * States of one tenant, read by one statement.
 *
 * @param liveEpoch the live epoch of the view
 * @param states the states by their keys, with one that does not exist for each key that
 * has none
 */
public record LiveSnapshot(long liveEpoch, Map<String, LiveState> states) {

	public LiveSnapshot {
		states = Map.copyOf(states);
	}

}
