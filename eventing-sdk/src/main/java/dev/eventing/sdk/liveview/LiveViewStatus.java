package dev.eventing.sdk.liveview;

/** Whether what a subscription shows is known to be current. */
public enum LiveViewStatus {

	/** The first state has not been read yet. */
	CONNECTING,

	/**
	 * The view's owner is heard, and the state was read since this owner was first heard.
	 */
	LIVE,

	/**
	 * The owner of the view was not heard for some seconds, the state cannot be read, or
	 * it is about to be read because frames may be lost: another owner is heard, or the
	 * connection to NATS was made again. The state of the subscription may be old. It
	 * continues to read the state.
	 */
	STALE,

	/** The subscription was closed. */
	CLOSED

}
