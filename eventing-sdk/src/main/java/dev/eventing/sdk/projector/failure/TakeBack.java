package dev.eventing.sdk.projector.failure;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import dev.eventing.sdk.jdbc.DatabaseFailure;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes back what was counted before it began and did not end: its thread is made to
 * stop, or the projector is another node's. Right then the server may still hold the row
 * for a transaction that was given up, and the pool may have no sound connection. So it
 * is tried for about a second, whatever interrupts the thread meanwhile.
 */
public final class TakeBack {

	private static final Logger logger = LoggerFactory.getLogger(TakeBack.class);

	private static final Duration LONGEST = Duration.ofSeconds(1);

	private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

	private final String what;

	private final BooleanSupplier action;

	private @Nullable RuntimeException failure;

	private TakeBack(String what, BooleanSupplier action) {
		this.what = what;
		this.action = action;
	}

	/**
	 * Takes it back, or says that it stays counted.
	 * @param what is taken back, for the log
	 * @param action takes it back, and tells whether nothing is left to do
	 */
	public static void insist(String what, BooleanSupplier action) {
		new TakeBack(what, action).insist();
	}

	private void insist() {
		long begin = System.nanoTime();
		// with the flag of the stop no connection would be had, or one would break
		boolean interrupted = Thread.interrupted();
		while (!isDone()) {
			if (System.nanoTime() - begin > LONGEST.toNanos()) {
				logger.warn("{} stays counted, although no process died: {}.", this.what, (this.failure != null)
						? DatabaseFailure.describe(this.failure) : "another transaction holds it");
				break;
			}
			LockSupport.parkNanos(PAUSE);
			interrupted |= Thread.interrupted();
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	private boolean isDone() {
		try {
			this.failure = null;
			return this.action.getAsBoolean();
		}
		catch (RuntimeException ex) {
			this.failure = ex;
			return false;
		}
	}

}
