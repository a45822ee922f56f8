package dev.eventing.sdk.projector.feed;

import java.time.Duration;
import java.time.Instant;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.jdbc.DatabaseFailure;
import dev.eventing.sdk.jdbc.ToldCauses;
import dev.eventing.sdk.UnavailableException;
import dev.eventing.sdk.nats.NatsDisconnectedException;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.failure.FailureClassifier;
import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.WorkerFailure;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.transaction.IllegalTransactionStateException;

/**
 * The state of a projector, and since when. Logs changes. One thread may change it, and
 * any thread may read it.
 */
public final class CurrentState {

	private static final Logger logger = LoggerFactory.getLogger(CurrentState.class);

	/**
	 * A problem that is met again within this time is the same one: attempts are ten
	 * seconds apart, and may wait as long for a server.
	 */
	private static final Duration SAME_PROBLEM = Duration.ofSeconds(30);

	/** With more in a row, something stands in the way that does not pass. */
	private static final int MOST_PASSING = 10;

	private final ProjectorId projector;

	/** The problem that was met last, and when. For the thread that sets the state. */
	private String problem = "";

	private long metAt;

	/** Of the present wait for the database. */
	private final ToldCauses told = new ToldCauses();

	/** How often in a row something failed that passes by itself. */
	private int passing;

	private volatile Entry entry = Entry.of(ProjectorState.STARTING, "not started yet");

	public CurrentState(ProjectorId projector) {
		this.projector = projector;
	}

	public Entry get() {
		return this.entry;
	}

	/** Sets the state. Returns whether it has changed. */
	public boolean is(ProjectorState state, String detail) {
		if (this.entry.state() == state && this.entry.detail().equals(detail)) {
			return false;
		}
		this.entry = Entry.of(state, detail);
		return true;
	}

	/**
	 * Sets and logs a problem that the operator must correct. Logs it once, although each
	 * attempt that fails again begins with another state.
	 */
	void failed(String problem) {
		long now = System.nanoTime();
		boolean known = problem.equals(this.problem) && now - this.metAt < SAME_PROBLEM.toNanos();
		this.problem = problem;
		this.metAt = now;
		if (is(ProjectorState.FAILED, problem) && !known) {
			logger.error("Projector '{}' cannot continue until the operator corrects this problem: {}", this.projector,
					problem);
		}
	}

	/**
	 * Sets and logs the state after a failure: NATS or the database is unreachable, or
	 * the SDK's tables cannot be used. After an optimistic locking failure another node
	 * was faster, and the projector tries again without waiting.
	 */
	public void away(RuntimeException ex) {
		if (ex instanceof OptimisticLockingFailureException) {
			logger.debug("Projector '{}' starts again.", this.projector, ex);
			return;
		}
		this.passing = DatabaseFailure.isPassing(ex) ? this.passing + 1 : 0;
		String lasting = lasting(ex, this.passing > 0 && this.passing <= MOST_PASSING);
		if (lasting != null) {
			failed(lasting);
			return;
		}
		if (ex instanceof IllegalTransactionStateException) {
			failed(String.valueOf(ex.getMessage()));
			return;
		}
		// What failed in the database is an exception of Spring.
		if (ex instanceof UnavailableException) {
			String why = String.valueOf(ex.getMessage());
			if (this.entry.state() != ProjectorState.WAITING_FOR_NATS) {
				logger.atLevel((ex instanceof NatsDisconnectedException) ? Level.DEBUG : Level.WARN)
					.log("Projector '{}' waits: {}", this.projector, why);
				is(ProjectorState.WAITING_FOR_NATS, why);
			}
			return;
		}
		waitsForDatabase(ex);
	}

	/** Null if the database may be usable again by itself. */
	private static @Nullable String lasting(RuntimeException ex, boolean passes) {
		String lasting = (ex instanceof UnavailableException) ? null : DatabaseFailure.lasting(ex);
		return (lasting == null && ex instanceof DataAccessException && !passes && !FailureClassifier.isTransient(ex)
				&& !FailureClassifier.isTimeOut(ex)) ? "The SDK's tables cannot be used: " + DatabaseFailure.brief(ex)
						: lasting;
	}

	/** The cause may change while the projector waits. */
	private void waitsForDatabase(RuntimeException ex) {
		String why = DatabaseFailure.brief(ex);
		Entry before = this.entry;
		boolean goesOn = before.state() == ProjectorState.WAITING_FOR_DATABASE;
		if (!goesOn) {
			this.told.clear();
		}
		this.entry = new Entry(ProjectorState.WAITING_FOR_DATABASE, why, goesOn ? before.since() : Instant.now());
		if (this.told.isNew(ex)) {
			logger.warn("Projector '{}' waits: {}", this.projector, why);
		}
	}

	/**
	 * A state.
	 *
	 * @param state the state
	 * @param detail more information, as text for operators
	 * @param since when the state began
	 */
	public record Entry(ProjectorState state, String detail, Instant since) {

		static Entry of(ProjectorState state, String detail) {
			return new Entry(state, detail, Instant.now());
		}

		public static Entry stalled(Stall stall) {
			return new Entry(ProjectorState.STALLED, stall.describe(), Instant.now().minus(stall.lasts()));
		}

		public static Entry restarting(WorkerFailure failure) {
			return new Entry(ProjectorState.RESTARTING, failure.describe(), failure.at());
		}

	}

}
