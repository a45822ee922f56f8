package dev.eventing.sdk.projector.lane;

import java.time.Duration;
import java.util.List;

import dev.eventing.sdk.deadletter.Failure;
import dev.eventing.sdk.deadletter.NewDeadLetter;
import dev.eventing.sdk.deadletter.ledger.DeadLetterLedger;
import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.idempotency.ProcessedEvents;
import dev.eventing.sdk.projector.ProjectorOptions;
import dev.eventing.sdk.projector.attempt.DeadLetterFactory;
import dev.eventing.sdk.projector.delivery.Rejection;
import dev.eventing.sdk.projector.delivery.Suspicion;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.failure.FailureClassifier;
import dev.eventing.sdk.projector.failure.OwnStatementException;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import dev.eventing.sdk.projector.failure.RetryDelays;
import dev.eventing.sdk.projector.failure.TakeBack;
import dev.eventing.sdk.projector.transaction.EventTables;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import dev.eventing.sdk.projector.transaction.HandlerTransaction.HandlerFailedException;
import dev.eventing.sdk.projector.transaction.JdbcAttempts;
import dev.eventing.sdk.projector.transaction.JdbcAttempts.Attempt;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of an event that failed alone: another attempt later, or a dead letter.
 * The attempt and the letter are written in a transaction of their own, after that of the
 * handler was rolled back; so a letter survives any failure of the database statements
 * that caused it. That transaction makes sure that the event was not applied after all:
 * what fails after a commit is no reason to try an event again.
 */
public final class FailureHandler {

	private static final Logger logger = LoggerFactory.getLogger(FailureHandler.class);

	private final String projector;

	private final ProjectorOptions options;

	private final FencedTransactions transactions;

	private final ProcessedEvents processedEvents;

	private final JdbcAttempts attempts;

	private final DeadLetterLedger ledger;

	private final ParkedKeys keys;

	private final DeadLetterFactory form;

	private final FailureClassifier classifier;

	private final RetryDelays delays;

	public FailureHandler(ProjectorOptions options, EventTables tables, FencedTransactions transactions,
			DeadLetterLedger ledger, ParkedKeys keys) {
		this.projector = tables.projector();
		this.options = options;
		this.transactions = transactions;
		this.processedEvents = tables.processedEvents();
		this.attempts = tables.attempts();
		this.ledger = ledger;
		this.keys = keys;
		this.form = new DeadLetterFactory(tables.projector(), options.deadLetters());
		this.classifier = new FailureClassifier(options);
		this.delays = new RetryDelays(options);
	}

	/**
	 * Counts an attempt ahead, right before the handler of an event that a process is
	 * likely to have died from runs.
	 * @return {@link Verdict.Go}; or when its attempts are used up a dead letter, which
	 * it may have already
	 * @throws OwnStatementException if the attempt cannot be counted
	 */
	Verdict begin(Work work) {
		Verdict verdict;
		try {
			verdict = this.transactions.execute(() -> countAhead(work));
		}
		catch (OwnershipLostException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			throw new OwnStatementException(ex);
		}
		// only now: a commit that failed has counted nothing
		work.markAttempted();
		work.setSuspicion(Suspicion.COUNTED);
		if (verdict instanceof Verdict.Dead dead) {
			log(work, verdict, died(dead.attempts()));
		}
		return verdict;
	}

	private Verdict countAhead(Work work) {
		Attempt attempt = this.attempts.count(work.eventKey(), work.event().orderingKey(), null, null);
		if (attempt.number() <= this.options.retry().maxDeliver()) {
			return Verdict.GO;
		}
		int died = attempt.number() - 1;
		return bury(work, "PROCESS_DIED", died(died), new Attempt(died, attempt.firstAt()), null);
	}

	private Failure died(int attempts) {
		return new Failure("ProcessDied",
				"The process ended during attempt " + attempts + " of " + this.options.retry().maxDeliver() + ".",
				null);
	}

	/**
	 * Takes back what {@link #begin} counted: the process is made to stop, or the
	 * projector is another node's, and the event has not ended either. Where the database
	 * does not answer for a second, the attempt stays counted.
	 */
	void takeBack(Work work) {
		TakeBack.insist("Projector '" + this.projector + "': an attempt of " + work, () -> {
			this.attempts.takeBack(work.eventKey());
			return true;
		});
	}

	/** Decides about an event whose handler failed while it ran alone. */
	Verdict failed(Work work, Throwable thrown) {
		Throwable error = HandlerFailedException.errorOf(thrown);
		Failure failure = Failure.of(error);
		Verdict verdict = this.transactions.execute(() -> decide(work, error, failure));
		work.markAttempted();
		// it ended, and so did not end the process
		work.setSuspicion(Suspicion.NONE);
		log(work, verdict, failure);
		return verdict;
	}

	private Verdict decide(Work work, Throwable error, Failure failure) {
		if (!holdFree(work.eventKey())) {
			return Verdict.APPLIED;
		}
		Attempt attempt = (work.suspicion() == Suspicion.COUNTED)
				? this.attempts.explain(work.eventKey(), failure.errorClass(), failure.message()) : this.attempts
					.count(work.eventKey(), work.event().orderingKey(), failure.errorClass(), failure.message());
		Duration redriveAfter = this.options.deadLetters().redriveAfter(error, 0);
		if (!this.classifier.isRetryable(error)) {
			return bury(work, "NOT_RETRYABLE", failure, attempt, redriveAfter);
		}
		if (attempt.number() >= this.options.retry().maxDeliver()) {
			return bury(work, "ATTEMPTS_EXHAUSTED", failure, attempt, redriveAfter);
		}
		Duration delay = this.delays.after(attempt.number());
		this.attempts.schedule(work.eventKey(), delay);
		return new Verdict.Retry(attempt.number(), delay);
	}

	/** Makes a dead letter of an event that no handler can be given. */
	Verdict refuse(Work work, Rejection rejection) {
		EventKey event = work.knownKey();
		Verdict verdict = this.transactions.execute(() -> (event != null && !holdFree(event)) ? Verdict.APPLIED
				: bury(work, rejection.reason(), rejection.failure(), new Attempt(0, work.place().storedAt()), null));
		log(work, verdict, rejection.failure());
		return verdict;
	}

	/**
	 * Whether the event was not applied, and is not before this transaction ends: whoever
	 * is about to is waited for, whoever comes now waits.
	 */
	private boolean holdFree(EventKey key) {
		List<EventKey> event = List.of(key);
		boolean free = !this.processedEvents.claim(this.projector, event).isEmpty();
		if (free) {
			this.processedEvents.unclaim(this.projector, event);
		}
		else {
			this.attempts.forget(event);
		}
		return free;
	}

	private Verdict bury(Work work, String reason, Failure failure, Attempt attempt, @Nullable Duration redriveAfter) {
		NewDeadLetter letter = this.form.dead(work, reason, failure, attempt, redriveAfter);
		if (letter.parkingKey() != null) {
			this.keys.add(letter.parkingKey());
		}
		if (!this.ledger.record(letter)) {
			return Verdict.APPLIED;
		}
		EventKey event = work.knownKey();
		if (event != null) {
			this.attempts.forget(List.of(event));
		}
		return new Verdict.Dead(reason, attempt.number());
	}

	private void log(Work work, Verdict verdict, Failure failure) {
		String known = DeadLetterFactory.describe(DeadLetterFactory.known(work));
		if (verdict instanceof Verdict.Retry retry) {
			logger.warn("Projector '{}' failed on {} at {}: {}. Attempt {} of {}; retried in {}.", this.projector,
					known, work, failure.errorClass(), retry.attempt(), this.options.retry().maxDeliver(),
					retry.delay());
		}
		else if (verdict instanceof Verdict.Applied) {
			logger.warn("Projector '{}' makes no letter of {} at {}, though it met {}: it was applied, or has a letter."
					+ " It is settled.", this.projector, known, work, failure.errorClass());
		}
		else if (verdict instanceof Verdict.Dead dead) {
			logger.error(
					"Projector '{}' gives up {} at {}: {} {}. It is a dead letter after {} attempts and waits for somebody"
							+ " to look at it.",
					this.projector, known, work, dead.reason(), failure.errorClass(), dead.attempts());
		}
	}

	/** What becomes of an event. */
	sealed interface Verdict {

		/** Nothing stands in its way. */
		Verdict GO = new Go();

		/** It needs no other attempt, and no letter. */
		Verdict APPLIED = new Applied();

		/** Its handler may run. */
		record Go() implements Verdict {
		}

		/** It was applied, or has a letter already. */
		record Applied() implements Verdict {
		}

		/** It is tried again later. */
		record Retry(int attempt, Duration delay) implements Verdict {
		}

		/** It is a dead letter. */
		record Dead(String reason, int attempts) implements Verdict {
		}

	}

}
