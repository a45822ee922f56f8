package dev.eventing.sdk.projector.feed;

import java.time.Instant;

import dev.eventing.sdk.jdbc.DatabaseFailure;
import dev.eventing.sdk.nats.NatsDisconnectedException;
import dev.eventing.sdk.nats.NatsUnavailableException;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.failure.FailureClassifier;
import dev.eventing.sdk.worker.WorkerFailure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.transaction.IllegalTransactionStateException;

/**
 * What a projector is doing, and since when; says so in the log when that is news.
 * Thread-safe for one that changes it and many that look.
 */
public final class CurrentState {

	private static final Logger logger = LoggerFactory.getLogger(CurrentState.class);

	private final String projector;

	private volatile Entry entry = Entry.of(ProjectorState.STARTING, "not begun");

	public CurrentState(String projector) {
		this.projector = projector;
	}

	public Entry get() {
		return this.entry;
	}

	/** Returns whether that is news. */
	public boolean is(ProjectorState state, String detail) {
		if (this.entry.state() == state && this.entry.detail().equals(detail)) {
			return false;
		}
		this.entry = Entry.of(state, detail);
		return true;
	}

	/** A person must change something. */
	void failed(String problem) {
		if (is(ProjectorState.FAILED, problem)) {
			logger.error("Projector '{}' cannot go on until somebody changes something: {}", this.projector, problem);
		}
	}

	/**
	 * NATS or the database is away, or the database has no tables to use; or another node
	 * was a moment faster, which is nothing to wait for.
	 */
	public void away(RuntimeException ex) {
		if (ex instanceof OptimisticLockingFailureException) {
			logger.debug("Projector '{}' begins anew.", this.projector, ex);
			return;
		}
		if (ex instanceof DataAccessException && !FailureClassifier.isTransient(ex)
				&& !FailureClassifier.isTimeOut(ex)) {
			failed("The SDK's tables cannot be used: " + ex.getMessage());
			return;
		}
		if (ex instanceof IllegalTransactionStateException) {
			failed(String.valueOf(ex.getMessage()));
			return;
		}
		boolean nats = ex instanceof NatsUnavailableException;
		ProjectorState waitingFor = nats ? ProjectorState.WAITING_FOR_NATS : ProjectorState.WAITING_FOR_DATABASE;
		if (this.entry.state() != waitingFor) {
			logger.atLevel((ex instanceof NatsDisconnectedException) ? Level.DEBUG : Level.WARN)
				.log("Projector '{}' waits: {}", this.projector, nats ? ex.getMessage() : DatabaseFailure.describe(ex));
			is(waitingFor, String.valueOf(ex.getMessage()));
		}
	}

	/**
	 * What it is doing.
	 *
	 * @param state the state
	 * @param detail for people
	 * @param since when it began
	 */
	public record Entry(ProjectorState state, String detail, Instant since) {

		static Entry of(ProjectorState state, String detail) {
			return new Entry(state, detail, Instant.now());
		}

		public static Entry restarting(WorkerFailure failure) {
			return new Entry(ProjectorState.RESTARTING, failure.describe(), failure.at());
		}

	}

}
