package dev.eventing.sdk.projector.attempt;

/** An action that ends early if its thread must stop. */
@FunctionalInterface
public interface InterruptibleAction {

	/**
	 * Runs the action.
	 * @throws InterruptedException if the thread must stop
	 */
	void run() throws InterruptedException;

}
