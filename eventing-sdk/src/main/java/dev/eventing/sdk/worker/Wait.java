package dev.eventing.sdk.worker;

/**
 * A wait of a thread for something that may take any time.
 *
 * @param <T> what it waits for
 */
@FunctionalInterface
public interface Wait<T> {

	/**
	 * Waits.
	 * @throws InterruptedException if the thread was interrupted
	 */
	T await() throws InterruptedException;

}
