package dev.eventing.sdk.liveview;

/** Whether what a subscription shows is known to be current. */
public enum LiveViewStatus {

	/** The first state has not been read yet. */
	CONNECTING,

	/**
	 * The view's owner is heard, and the state was read since another one was heard
	 * before, or none.
	 */
	LIVE,

	/**
	 * The owner of the view was not heard for some seconds, the state cannot be read, or
	 * it is about to be read because frames may be lost: another owner is heard, or the
	 * connection to NATS was made again. What the subscription shows may be old. It goes
	 * on reading the state.
	 */
	STALE,

	/** The subscription was closed. */
	CLOSED

}
