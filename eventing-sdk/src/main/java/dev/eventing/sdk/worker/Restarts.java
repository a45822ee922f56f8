package dev.eventing.sdk.worker;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pause of a worker between a failure of its work and its restart. Logs each cause
 * once, and pauses longer with each consecutive failure.
 */
final class Restarts {

	private static final Logger logger = LoggerFactory.getLogger(Restarts.class);

	private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

	private final String worker;

	private final Consumer<WorkerFailure> shown;

	private final LongAdder count = new LongAdder();

	/** Of the present row of failures. */
	private final NamedCauses named = new NamedCauses();

	/** Of a worker, which shows its failures by this. */
	Restarts(String worker, Consumer<WorkerFailure> shown) {
		this.worker = worker;
		this.shown = shown;
	}

	long count() {
		return this.count.sum();
	}

	/**
	 * Waits for the pause after a failure, even after an unexpected interrupt.
	 * @param failures the number of consecutive failures
	 * @return whether the worker was stopped meanwhile
	 */
	boolean isStoppedWithinPause(CountDownLatch stop, Throwable cause, int failures) {
		this.count.increment();
		Duration pause = pauseAfter(failures);
		try {
			this.shown
				.accept(new WorkerFailure(this.worker, String.valueOf(cause), failures, Clock.systemUTC().instant()));
			log(cause, failures, pause);
		}
		catch (Throwable ex) {
			// no memory for logging: what matters is to continue
			return isStoppedWithin(stop, pause);
		}
		return isStoppedWithin(stop, pause);
	}

	private void log(Throwable cause, int failures, Duration pause) {
		if (failures == 1) {
			this.named.clear();
		}
		boolean news = this.named.isNews(cause);
		if (failures == 1) {
			logger.error("'{}' ended unexpectedly. It restarts in {} ms.", this.worker, pause.toMillis(), cause);
		}
		else if (news) {
			logger.warn("'{}' ended unexpectedly {} times in a row, now by another cause. It restarts in {} ms.",
					this.worker, failures, pause.toMillis(), cause);
		}
		else {
			logger.debug("'{}' ended unexpectedly {} times in a row. It restarts in {} ms.", this.worker, failures,
					pause.toMillis(), cause);
		}
	}

	private static Duration pauseAfter(int failures) {
		Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(failures - 1, 10));
		return (pause.compareTo(LONGEST_PAUSE) < 0) ? pause : LONGEST_PAUSE;
	}

	private static boolean isStoppedWithin(CountDownLatch stop, Duration pause) {
		try {
			return stop.await(pause.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			return stop.getCount() == 0;
		}
	}

}
