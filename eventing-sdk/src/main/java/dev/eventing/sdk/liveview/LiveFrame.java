package dev.eventing.sdk.liveview;

import org.jspecify.annotations.Nullable;

/**
 * A change of a state, as it was pushed.
 *
 * @param event the name of the event for clients, such as {@code delta} or
 * {@value #REBUILD}
 * @param from the version that the change begins at
 * @param version the version that it leads to
 * @param own whether the payload is a delta that the view made itself; otherwise it is a
 * JSON merge patch, or with {@value #REBUILD} the whole state
 * @param payload the JSON, or null if the frame has none and the state must be read
 */
public record LiveFrame(String event, long from, LiveVersion version, boolean own, @Nullable String payload) {

	/** The event of a frame with the whole state, or without any. */
	public static final String REBUILD = "rebuild";

	/** Whether it replaces the whole state. */
	public boolean isRebuild() {
		return this.event.equals(REBUILD);
	}

}
