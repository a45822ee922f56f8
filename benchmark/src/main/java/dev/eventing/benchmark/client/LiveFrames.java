package dev.eventing.benchmark.client;

/** Hears what clients get. Called by their thread. */
public interface LiveFrames {

	/**
	 * A client has got a state, or a change of it.
	 * @param account the number of the account
	 * @param change the number of the account's last change that the state has
	 */
	void frame(int account, long change);

}
