package dev.eventing.sdk.projector.attempt;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.jdbc.DatabaseFailure;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.failure.FailureClassifier;
import dev.eventing.sdk.projector.failure.OwnStatementException;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcOperations;

/**
 * Waits transient failures out: the database is unreachable, or transactions conflicted.
 * Each thread backs off by itself, and no attempt is counted. Thread-safe.
 */
public final class TransientFailures {

	private static final Logger logger = LoggerFactory.getLogger(TransientFailures.class);

	/**
	 * This many consecutive failures are waited out without asking whether the database
	 * answers.
	 */
	private static final int UNQUESTIONED = 10;

	/**
	 * This many more in a row are waited out while the database answers; the next one is
	 * a failure of the event. One is not enough, because the database may have recovered
	 * after the failure.
	 */
	private static final int WHILE_ANSWERING = 3;

	private static final Duration FIRST_PAUSE = Duration.ofMillis(20);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

	/** An outage that begins this soon after another one continues it. */
	private static final Duration SAME_OUTAGE = LONGEST_PAUSE.multipliedBy(10);

	private final ProjectorId projector;

	private final JdbcOperations jdbc;

	private final CountDownLatch stopping;

	private final DeadlockGate gate;

	private volatile @Nullable TransientFailure current;

	/** When the current outage began, by {@link System#nanoTime}. */
	private volatile long beganAt;

	private volatile @Nullable Outage last;

	public TransientFailures(ProjectorId projector, JdbcOperations jdbc, CountDownLatch stopping) {
		this.projector = projector;
		this.jdbc = jdbc;
		this.stopping = stopping;
		this.gate = new DeadlockGate(projector);
	}

	/** The transient failure that the projector waits out now, or null. */
	public @Nullable TransientFailure current() {
		return this.current;
	}

	/**
	 * Adds the length of the last outage to a duration, if the outage ended less than
	 * that duration ago. Not all work continues at the moment when an outage ends.
	 */
	public Duration withOutage(Duration duration) {
		Outage outage = this.last;
		return (outage != null && System.nanoTime() - outage.endedAt() < duration.toNanos())
				? duration.plusNanos(outage.endedAt() - outage.beganAt()) : duration;
	}

	/** Whether the database answers and accepts writes. */
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
			String missing = DatabaseFailure.missing(failure);
			this.current = new TransientFailure(Instant.now(), cause.getClass().getSimpleName(), missing);
			if (missing != null) {
				logger
					.error("Projector '{}' cannot use the SDK's tables: {}. It tries again until it can. No attempt is"
							+ " counted.", this.projector, missing);
				return;
			}
			logger.warn("Projector '{}' waits for its database: {}. No attempt is counted.", this.projector,
					DatabaseFailure.describe(failure));
		}
	}

	/**
	 * A failure during a stop is not about the event.
	 * @throws InterruptedException if the projector must stop now
	 */
	private void throwIfStopping() throws InterruptedException {
		if (this.stopping.getCount() == 0) {
			throw new InterruptedException("Projector '" + this.projector + "' stops.");
		}
	}

	/** Ends the outage, because an action succeeded. */
	void over() {
		if (this.current != null) {
			this.last = new Outage(this.beganAt, System.nanoTime());
			this.current = null;
			logger.info("Projector '{}' goes on: its database answers.", this.projector);
		}
	}

	/**
	 * Runs one of the SDK's own actions, and waits out transient failures and time-outs.
	 * Rethrows any other failure, and a transient one that repeats while the database
	 * answers.
	 * @throws InterruptedException if the projector must stop before the action succeeded
	 */
	public <T> T insist(Supplier<T> action) throws InterruptedException {
		Backoff backoff = new Backoff(List.of());
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
	 * Runs an action that may fail because of an event, and waits out transient failures.
	 * Threads run their actions side by side until they deadlock; then they take turns.
	 * @param part the events of the action's transaction
	 * @return the failure of the event, or null if the action succeeded
	 * @throws OwnershipLostException if this node does not own the projector
	 * @throws InterruptedException if the projector must stop before the action ended
	 */
	public @Nullable Throwable attempt(List<Work> part, InterruptibleAction action) throws InterruptedException {
		Backoff backoff = new Backoff(part);
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
				// errors of handlers come wrapped and are about the event
				FailureClassifier.rethrowIfOfTheProcess(ex);
				if (!backoff.waitOut(ex)) {
					return FailureClassifier.original(ex);
				}
			}
		}
	}

	/** The back-off for consecutive transient failures of one action. For one thread. */
	final class Backoff {

		private final List<Work> part;

		private int before;

		private int whileAnswering;

		private Backoff(List<Work> part) {
			this.part = part;
		}

		/**
		 * Waits, longer after each consecutive failure, up to a second. A failure of one
		 * of the SDK's own statements is always waited out.
		 * @return false, without a wait, if the failure is not transient, repeats while
		 * the database answers, or is the handler's, which took too long
		 * @throws InterruptedException if the projector must stop
		 */
		boolean waitOut(Throwable failure) throws InterruptedException {
			if (!(failure instanceof OwnStatementException)
					&& (!FailureClassifier.isTransient(failure) || isOfTheHandler(failure) || isExhausted())) {
				return false;
			}
			begin(failure);
			pause();
			this.before++;
			return true;
		}

		/**
		 * Whether the server ended the session because the handler took too long. It may
		 * have been the machine that stood still, so an event that ran alone runs once
		 * more. Several events do not: which of them was slow is not known, and each of
		 * them runs alone next.
		 */
		private boolean isOfTheHandler(Throwable failure) {
			return FailureClassifier.isSessionTimeOut(failure)
					&& !(this.part.size() == 1 && this.part.get(0).takeRepeat());
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

	/** An outage that ended, in {@link System#nanoTime} time. */
	private record Outage(long beganAt, long endedAt) {
	}

	/**
	 * A transient failure that the projector waits out.
	 *
	 * @param since when it began
	 * @param error the simple name of the error's class
	 * @param missing what the database lacks, so that it lasts until somebody changes
	 * that; null if the failure may end by itself
	 */
	public record TransientFailure(Instant since, String error, @Nullable String missing) {
	}

}
