package dev.eventing.sdk.projector.delivery;

/**
 * Takes over what was read, in that order, and runs it later: the lanes. For the thread
 * that reads.
 */
public interface WorkReceiver {

	/** Returns at once. */
	void accept(Work work);

}
