package dev.eventing.sdk.projector.attempt;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import dev.eventing.sdk.jdbc.DatabaseFailure;
import dev.eventing.sdk.projector.failure.FailureClassifier;
import dev.eventing.sdk.projector.failure.OwnStatementException;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * Waits out what says nothing about an event: a database that is away, transactions that
 * got in each other's way. The projector backs off as a whole and no attempt is counted.
 * Thread-safe.
 */
public final class TransientFailures {

	private static final Logger logger = LoggerFactory.getLogger(TransientFailures.class);

	/**
	 * So often in a row a failure is taken for a disturbance without another look.
	 */
	private static final int UNQUESTIONED = 10;

	/**
	 * So often in a row after that, while the database answers; then it is the event's
	 * own. Once is not enough: the database may have come back after the failure.
	 */
	private static final int WHILE_ANSWERING = 3;

	private static final Duration FIRST_PAUSE = Duration.ofMillis(20);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

	/** One that begins so soon after another's end is the same. */
	private static final Duration SAME_OUTAGE = LONGEST_PAUSE.multipliedBy(10);

	private final String projector;

	private final JdbcOperations jdbc;

	private final CountDownLatch stopping;

	private final DeadlockGate gate;

	private volatile @Nullable TransientFailure current;

	/** When the present outage began, by {@link System#nanoTime}. */
	private volatile long beganAt;

	private volatile @Nullable Outage last;

	public TransientFailures(String projector, JdbcOperations jdbc, CountDownLatch stopping) {
		this.projector = projector;
		this.jdbc = jdbc;
		this.stopping = stopping;
		this.gate = new DeadlockGate(projector);
	}

	/** The disturbance the projector waits out now, or null. */
	public @Nullable TransientFailure current() {
		return this.current;
	}

	/**
	 * How long something may take that would take this long without the last outage: not
	 * everything that waits one out goes on in the moment in which it ends.
	 */
	public Duration withOutage(Duration duration) {
		Outage outage = this.last;
		return (outage != null && System.nanoTime() - outage.endedAt() < duration.toNanos())
				? duration.plusNanos(outage.endedAt() - outage.beganAt()) : duration;
	}

	/** The patience with one thing that is to be done. */
	Backoff backoff() {
		return new Backoff();
	}

	/** Whether the database answers, and takes writes. */
	private boolean databaseAnswers() {
		try {
			return Boolean.TRUE.equals(
					this.jdbc.queryForObject("select current_setting('transaction_read_only') = 'off'", Boolean.class));
		}
		catch (DataAccessException ex) {
			return false;
		}
	}

	private void begin(Throwable failure) {
		if (this.current == null) {
			long now = System.nanoTime();
			Outage before = this.last;
			this.beganAt = (before != null && now - before.endedAt() < SAME_OUTAGE.toNanos()) ? before.beganAt() : now;
			Throwable cause = (failure instanceof OwnStatementException && failure.getCause() != null)
					? failure.getCause() : failure;
			this.current = new TransientFailure(Instant.now(), cause.getClass().getSimpleName());
			logger.warn("Projector '{}' waits for its database: {}. No attempt is counted.", this.projector,
					DatabaseFailure.describe(failure));
		}
	}

	/**
	 * What fails while the projector is made to stop says nothing about an event either.
	 * @throws InterruptedException if the projector is to stop now
	 */
	private void throwIfStopping() throws InterruptedException {
		if (this.stopping.getCount() == 0) {
			throw new InterruptedException("Projector '" + this.projector + "' stops.");
		}
	}

	/** The database works again. */
	void over() {
		if (this.current != null) {
			this.last = new Outage(this.beganAt, System.nanoTime());
			this.current = null;
			logger.info("Projector '{}' goes on: its database answers.", this.projector);
		}
	}

	/**
	 * Does something of the SDK's own that must be done, waiting out every disturbance,
	 * and time-outs too.
	 * @throws InterruptedException if the projector is to stop before it was done
	 */
	public <T> T insist(Supplier<T> action) throws InterruptedException {
		Backoff backoff = backoff();
		while (true) {
			try {
				T result = action.get();
				over();
				return result;
			}
			catch (RuntimeException ex) {
				if (!backoff.waitOut(FailureClassifier.isTimeOut(ex) ? new OwnStatementException(ex) : ex)) {
					throw ex;
				}
			}
		}
	}

	/**
	 * Does something that may fail for reasons of its own, waiting out every disturbance.
	 * Several threads do so side by side until they deadlock, then one at a time.
	 * @return why it failed, or null: it did not
	 * @throws OwnershipLostException if the projector is another node's
	 * @throws InterruptedException if the projector is to stop before it was done
	 */
	public @Nullable Throwable attempt(Attempt action) throws InterruptedException {
		Backoff backoff = backoff();
		while (true) {
			try {
				this.gate.run(action);
				over();
				return null;
			}
			catch (OwnershipLostException ex) {
				throw ex;
			}
			catch (Throwable ex) {
				throwIfStopping();
				// what a handler threw comes wrapped, and is the event's
				FailureClassifier.rethrowIfOfTheProcess(ex);
				if (!backoff.waitOut(ex)) {
					return ex;
				}
			}
		}
	}

	/** Something that may be interrupted. */
	public interface Attempt {

		void run() throws InterruptedException;

	}

	/** How long disturbances of one thing in a row are waited out. For one thread. */
	final class Backoff {

		private int before;

		private int whileAnswering;

		/**
		 * Waits, longer with each disturbance in a row, up to a second.
		 * @return whether it did; false if the failure is no disturbance, or is none any
		 * more because the database answers. One of the SDK's own statements always is.
		 * @throws InterruptedException if the projector is to stop
		 */
		boolean waitOut(Throwable failure) throws InterruptedException {
			if (!(failure instanceof OwnStatementException)
					&& (!FailureClassifier.isTransient(failure) || isExhausted())) {
				return false;
			}
			begin(failure);
			pause();
			this.before++;
			return true;
		}

		private boolean isExhausted() {
			if (this.before < UNQUESTIONED) {
				return false;
			}
			this.whileAnswering = databaseAnswers() ? this.whileAnswering + 1 : 0;
			return this.whileAnswering > WHILE_ANSWERING;
		}

		private void pause() throws InterruptedException {
			long exponential = FIRST_PAUSE.toMillis() << Math.min(this.before, 10);
			long longest = Math.min(exponential, LONGEST_PAUSE.toMillis());
			long pause = ThreadLocalRandom.current().nextLong(longest / 2, longest + 1);
			if (TransientFailures.this.stopping.await(pause, TimeUnit.MILLISECONDS)) {
				throwIfStopping();
			}
		}

	}

	/** By {@link System#nanoTime}. */
	private record Outage(long beganAt, long endedAt) {
	}

	/**
	 * What the projector waits out.
	 *
	 * @param since when it began
	 * @param error the simple name of the error's class
	 */
	public record TransientFailure(Instant since, String error) {
	}

}
