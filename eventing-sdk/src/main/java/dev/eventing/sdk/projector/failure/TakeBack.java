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
 * Takes back an attempt that was counted before it began and that did not end, because
 * its thread must stop or another node owns the projector. At that moment a transaction
 * that was given up may still lock the row, and the pool may have no working connection.
 * So this class tries for about a second, and ignores interrupts meanwhile.
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
	 * Takes an attempt back. If that fails, logs that the attempt stays counted.
	 * @param what describes the attempt for the log
	 * @param action takes the attempt back, and returns whether nothing is left to do
	 */
	public static void insist(String what, BooleanSupplier action) {
		new TakeBack(what, action).insist();
	}

	private void insist() {
		long begin = System.nanoTime();
		// an interrupted thread gets no connection, or breaks the one it uses
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
