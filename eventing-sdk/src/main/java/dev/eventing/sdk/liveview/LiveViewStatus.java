package dev.eventing.sdk.liveview;

/** Whether what a subscription shows is known to be current. */
public enum LiveViewStatus {

	/** The first state has not been read yet. */
	CONNECTING,

	/** The view's owner is heard, and all of its frames have joined. */
	LIVE,

	/**
	 * The owner of the view was not heard for some seconds, or the state cannot be read.
	 * What the subscription shows may be old. It goes on reading the state.
	 */
	STALE,

	/** The subscription was closed. */
	CLOSED

}
