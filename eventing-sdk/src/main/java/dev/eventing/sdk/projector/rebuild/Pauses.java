package dev.eventing.sdk.projector.rebuild;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits between two looks. */
final class Pauses {

	private Pauses() {
	}

	/** Waits. Returns false if the thread must end; it stays interrupted. */
	static boolean pause(long millis) {
		try {
			return !new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

}
