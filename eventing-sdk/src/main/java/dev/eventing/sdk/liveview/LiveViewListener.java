package dev.eventing.sdk.liveview;

/**
 * Learns of the changes of one key of a live view. The methods are called one at a time,
 * outside a transaction, on threads that the listeners of the node share. A listener that
 * does not return stops no other, as long as fewer than 64 do so; it is reported as a
 * stall. One that is slower than the changes gets the latest state, with the frames that
 * lead to it if they are few and small. An exception of a method is logged, and the
 * subscription continues.
 */
public interface LiveViewListener {

	/**
	 * Called with the state after each change: after a frame that joins the state before
	 * it, and after the state was read. Versions grow within a live epoch, unless the
	 * state was set back (by a restore of the database). Changes may come together in one
	 * call.
	 * @param state the state, which may not exist
	 */
	void onState(LiveState state);

	/**
	 * Called with each frame that joins the state before it, before {@link #onState}. Not
	 * called for changes that were read.
	 */
	default void onFrame(LiveFrame frame) {
	}

	/** Called when the status changes. */
	default void onStatus(LiveViewStatus status) {
	}

}
