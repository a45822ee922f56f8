package dev.eventing.soak.node;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Faults to happen inside this process, once each. A fault waits here for the next call
 * of a handler or the next request for a connection of the pool.
 */
final class Mischief {

	/** The kinds of faults. */
	enum Kind {

		/** A handler throws an Error. */
		HANDLER_ERROR,

		/** A handler throws an OutOfMemoryError. */
		HANDLER_OUT_OF_MEMORY,

		/** A handler leaves the interrupt flag set, and throws. */
		HANDLER_INTERRUPT_AND_THROW,

		/** A handler leaves the interrupt flag set, and returns. */
		HANDLER_INTERRUPT_AND_RETURN,

		/** A handler stands still. */
		HANDLER_HANG,

		/** The next request for a connection throws an OutOfMemoryError. */
		OUT_OF_MEMORY,

		/** The next request for a connection throws a RuntimeException. */
		ODD_EXCEPTION

	}

	private final ConcurrentMap<Kind, Long> armed = new ConcurrentHashMap<>();

	/** Arms a fault. After this time it can no longer happen, and a hang ends. */
	void arm(Kind kind, long millis) {
		this.armed.put(kind, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis));
	}

	/** On the way into a handler's work. */
	void inHandler() {
		if (this.armed.isEmpty()) {
			return;
		}
		if (take(Kind.HANDLER_ERROR)) {
			throw new NoClassDefFoundError("dev/eventing/soak/Missing");
		}
		if (take(Kind.HANDLER_OUT_OF_MEMORY)) {
			throw new OutOfMemoryError("made up, in a handler");
		}
		if (take(Kind.HANDLER_INTERRUPT_AND_THROW)) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("interrupted");
		}
		long left = left(Kind.HANDLER_HANG);
		if (left > 0) {
			hang(left);
		}
	}

	/** On the way out of a handler that has done its work. */
	void afterHandler() {
		if (take(Kind.HANDLER_INTERRUPT_AND_RETURN)) {
			Thread.currentThread().interrupt();
		}
	}

	/** When a connection is wanted, on whatever thread. */
	void onConnection() {
		if (take(Kind.OUT_OF_MEMORY)) {
			throw new OutOfMemoryError("made up, for a connection");
		}
		if (take(Kind.ODD_EXCEPTION)) {
			throw new IllegalStateException("made up, for a connection");
		}
	}

	private boolean take(Kind kind) {
		return left(kind) > 0;
	}

	/** Takes the fault, and returns how many nanoseconds are left of it. */
	private long left(Kind kind) {
		Long end = this.armed.remove(kind);
		return (end != null) ? end - System.nanoTime() : 0;
	}

	private static void hang(long nanos) {
		try {
			boolean ended = new CountDownLatch(1).await(nanos, TimeUnit.NANOSECONDS);
			if (ended) {
				throw new IllegalStateException("nobody counts down");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("interrupted while it hung", ex);
		}
	}

}
