package dev.eventing.sdk.projector.attempt;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.jdbc.DatabaseFailure;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.failure.Blame;
import dev.eventing.sdk.projector.failure.FailureClassifier;
import dev.eventing.sdk.projector.failure.OwnStatementException;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

	/** The longest pause while somebody must change something first. */
	private static final Duration LONGEST_LASTING_PAUSE = Duration.ofSeconds(10);

	private final ProjectorId projector;

	private final DatabaseProbe database;

	private final CountDownLatch stopping;

	private final DeadlockGate gate;

	private final CurrentOutage outage;

	public TransientFailures(ProjectorId projector, JdbcOperations jdbc, CountDownLatch stopping) {
		this.projector = projector;
		this.database = new DatabaseProbe(jdbc);
		this.stopping = stopping;
		this.gate = new DeadlockGate(projector);
		this.outage = new CurrentOutage(projector);
	}

	/** The transient failure that the projector waits out now, or null. */
	public @Nullable TransientFailure current() {
		return this.outage.current();
	}

	/**
	 * Adds the length of the last outage to a duration, if the outage ended less than
	 * that duration ago. Not all work continues at the moment when an outage ends. Also
	 * adds the longest pause while somebody must change something first, because that
	 * pause is no stall.
	 */
	public Duration withOutage(Duration duration) {
		TransientFailure current = current();
		return this.outage
			.added((current != null && current.lasting()) ? duration.plus(LONGEST_LASTING_PAUSE) : duration);
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

	/**
	 * Runs one of the SDK's own actions, and waits out transient failures, time-outs and
	 * what is wrong with the SDK's tables, such as a missing right. Rethrows any other
	 * failure, and a transient one that repeats while the database answers.
	 * @throws InterruptedException if the projector must stop before the action succeeded
	 */
	public <T> T insist(Supplier<T> action) throws InterruptedException {
		Backoff backoff = new Backoff(List.of());
		while (true) {
			try {
				T result = action.get();
				backoff.ends();
				return result;
			}
			catch (RuntimeException ex) {
				boolean own = FailureClassifier.isTimeOut(ex) || DatabaseFailure.isOfTables(ex);
				if (!backoff.waitOut(own ? new OwnStatementException(ex) : ex)) {
					throw ex;
				}
			}
			catch (Error ex) {
				backoff.ends();
				throw ex;
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
				backoff.begins();
				this.gate.run(action);
				backoff.ends();
				return null;
			}
			catch (OwnershipLostException ex) {
				backoff.ends();
				throw ex;
			}
			catch (Throwable ex) {
				throwIfStopping();
				if (!backoff.waitOut(ex)) {
					return FailureClassifier.original(ex);
				}
			}
		}
	}

	/** The back-off for consecutive transient failures of one action. For one thread. */
	final class Backoff {

		private final List<Work> part;

		/** The number of failures in a row that it waited out. */
		private int waitedOut;

		/** Whether the outage counts this action as waiting. */
		private boolean waits;

		private int whileAnswering;

		/** How many runs ended together with the server or all of its sessions. */
		private int fallen;

		/** When the action began last, by {@link System#nanoTime}. */
		private long begunAt;

		/**
		 * The pause before an event runs again whose failure may be its own; otherwise
		 * null.
		 */
		private @Nullable Duration doubt;

		private Backoff(List<Work> part) {
			this.part = part;
		}

		private void begins() {
			this.begunAt = System.nanoTime();
		}

		/**
		 * Ends the wait. During a stop, the wait stays, so that the attempt that waits
		 * stays counted.
		 */
		private void ends() {
			if (this.waits && TransientFailures.this.stopping.getCount() > 0) {
				TransientFailures.this.outage.over(this);
				this.waits = false;
			}
		}

		/**
		 * Waits, longer after each consecutive failure, up to a second, or up to ten if
		 * somebody must change something first. A failure of one of the SDK's own
		 * statements is always waited out.
		 * @return false, without a wait, if the failure is not transient, repeats while
		 * the database answers, or is the handler's, which took too long
		 * @throws InterruptedException if the projector must stop
		 */
		boolean waitOut(Throwable failure) throws InterruptedException {
			boolean again = false;
			try {
				// errors of handlers come wrapped and are about the event
				FailureClassifier.rethrowIfOfTheProcess(failure);
				boolean own = failure instanceof OwnStatementException;
				if (own || !isOfTheEvent(failure)) {
					pause(met(failure, own));
					this.waitedOut++;
					again = true;
				}
				return again;
			}
			finally {
				if (!again) {
					ends();
				}
			}
		}

		/**
		 * Shows the failure as an outage, and returns the longest pause after it. If the
		 * server ended the session because the handler took too long, there is no outage.
		 */
		private Duration met(Throwable failure, boolean own) {
			if (!own && FailureClassifier.isSessionTimeOut(failure)) {
				ends();
				logger.warn(
						"Projector '{}': the server ended the transaction of {}, because its handler took too long:"
								+ " {}. It runs once more. No attempt is counted.",
						TransientFailures.this.projector, this.part.get(0),
						DatabaseFailure.brief(FailureClassifier.original(failure)));
				return LONGEST_PAUSE;
			}
			this.waits = true;
			boolean lasting = TransientFailures.this.outage.met(this, failure, own || this.part.isEmpty());
			return lasting ? LONGEST_LASTING_PAUSE : LONGEST_PAUSE;
		}

		private boolean isOfTheEvent(Throwable failure) {
			Blame blame = FailureClassifier.blame(failure);
			if (blame == Blame.EVENT) {
				return true;
			}
			if (FailureClassifier.isSessionTimeOut(failure)) {
				return isOfTheHandler();
			}
			return (blame == Blame.EITHER && !this.part.isEmpty()) ? isDoubtful() : isExhausted(failure);
		}

		/**
		 * Whether the server ended the session because the handler took too long. The
		 * machine may have stood still instead, so an event that ran alone runs once
		 * more. Several events do not run together again: it is not known which was slow,
		 * so each runs alone next.
		 */
		private boolean isOfTheHandler() {
			return !(this.part.size() == 1 && this.part.get(0).takeRepeat());
		}

		/**
		 * Whether an event is at fault for a failure that may also be an outage. While
		 * the database is not well, it is an outage, and earlier failures are no evidence
		 * any more. Otherwise several events run alone next, so that only the one at
		 * fault is charged. A single event runs again until its {@link Work#doubts} are
		 * used up.
		 */
		private boolean isDoubtful() {
			if (!TransientFailures.this.database.isWellSince(this.begunAt)) {
				this.part.forEach((work) -> work.doubts().clear());
				return hasFallenOften();
			}
			this.fallen = 0;
			if (this.part.size() == 1) {
				this.doubt = this.part.get(0).doubts().failed(System.nanoTime());
			}
			return this.doubt == null;
		}

		/**
		 * Whether the runs ended together with the server so often that the event may be
		 * the cause.
		 */
		private boolean hasFallenOften() {
			this.fallen++;
			boolean often = this.fallen > WHILE_ANSWERING + (isWorn() ? 0 : UNQUESTIONED);
			if (often && this.part.size() == 1) {
				this.part.get(0).doubts().wear();
			}
			return often;
		}

		/**
		 * Whether a failure of the database repeated before until it counted as the
		 * event's. Then fewer repetitions are enough.
		 */
		private boolean isWorn() {
			return this.part.size() == 1 && this.part.get(0).doubts().isWorn();
		}

		private boolean isExhausted(Throwable failure) {
			if (!isWorn() && this.waitedOut < UNQUESTIONED) {
				return false;
			}
			this.whileAnswering = TransientFailures.this.database.answers() ? this.whileAnswering + 1 : 0;
			if (this.whileAnswering <= WHILE_ANSWERING) {
				return false;
			}
			// what the server lacks, such as memory, says nothing of the event
			if (this.part.size() == 1 && FailureClassifier.isContention(failure)) {
				this.part.get(0).doubts().wear();
			}
			return true;
		}

		private void pause(Duration most) throws InterruptedException {
			Duration doubt = this.doubt;
			this.doubt = null;
			long pause = (doubt != null) ? doubt.toMillis() : random(most);
			if (TransientFailures.this.stopping.await(pause, TimeUnit.MILLISECONDS)) {
				throwIfStopping();
			}
		}

		private long random(Duration most) {
			long exponential = FIRST_PAUSE.toMillis() << Math.min(this.waitedOut, 10);
			long longest = Math.min(exponential, most.toMillis());
			return ThreadLocalRandom.current().nextLong(longest / 2, longest + 1);
		}

	}

}
