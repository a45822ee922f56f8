package dev.eventing.sdk.projector.lane;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

import dev.eventing.sdk.deadletter.Failure;
import dev.eventing.sdk.deadletter.NewDeadLetter;
import dev.eventing.sdk.deadletter.TextForm;
import dev.eventing.sdk.deadletter.ledger.DeadLetterLedger;
import dev.eventing.sdk.event.DurationText;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.ProjectorOptions;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.attempt.DeadLetterFactory;
import dev.eventing.sdk.projector.delivery.Rejection;
import dev.eventing.sdk.projector.delivery.RoutedEvent;
import dev.eventing.sdk.projector.delivery.Suspicion;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.failure.FailureClassifier;
import dev.eventing.sdk.projector.failure.FailureText;
import dev.eventing.sdk.projector.failure.OwnStatementException;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import dev.eventing.sdk.projector.failure.RefusedTexts;
import dev.eventing.sdk.projector.failure.RepeatedFailures;
import dev.eventing.sdk.projector.failure.RetryDelays;
import dev.eventing.sdk.projector.failure.TakeBack;
import dev.eventing.sdk.projector.transaction.Claims;
import dev.eventing.sdk.projector.transaction.EventTables;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import dev.eventing.sdk.projector.transaction.HandlerFailedException;
import dev.eventing.sdk.projector.transaction.JdbcAttempts.Attempt;
import dev.eventing.sdk.projector.transaction.JdbcAttempts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what happens to an event that failed alone: another attempt later, or a dead
 * letter. Writes the attempt or the letter in a separate transaction, after that of the
 * handler was rolled back. So no failure in the handler's transaction can undo the
 * letter. The separate transaction first makes sure that the event was not applied,
 * because a failure after a commit must not cause another attempt. For the thread of the
 * lane, except {@link #takeBack}.
 */
public final class FailureHandler {

	private static final Logger logger = LoggerFactory.getLogger(FailureHandler.class);

	private final ProjectorId projector;

	private final ProjectorOptions options;

	private final FencedTransactions transactions;

	private final Claims claims;

	private final JdbcAttempts attempts;

	private final RefusedTexts refused;

	private final DeadLetterLedger ledger;

	private final ParkedKeys keys;

	private final EventRecords records;

	private final DeadLetterFactory factory;

	private final FailureClassifier classifier;

	private final RetryDelays delays;

	private final FailureText texts;

	private final RepeatedFailures repeated;

	/**
	 * Decides about the events of one lane.
	 * @param records called at the end of the transaction that makes a letter
	 * @param notices describes failures in the log, and notices that all events fail
	 */
	public FailureHandler(ProjectorOptions options, EventTables tables, FencedTransactions transactions,
			DeadLetterLedger ledger, ParkedKeys keys, EventRecords records, Notices notices) {
		this.projector = tables.projector();
		this.options = options;
		this.transactions = transactions;
		this.claims = tables.claims();
		this.attempts = tables.attempts();
		this.refused = tables.texts();
		this.ledger = ledger;
		this.keys = keys;
		this.records = records;
		this.factory = new DeadLetterFactory(tables.projector(), options.deadLetters());
		this.classifier = new FailureClassifier(options);
		this.delays = new RetryDelays(options);
		this.texts = notices.texts();
		this.repeated = notices.repeated();
	}

	/**
	 * Counts an attempt of a likely suspect, right before its handler runs.
	 * @return {@link Verdict.Go}; if its attempts are used up, {@link Verdict.Dead}, or
	 * {@link Verdict.Applied} if it has a letter already
	 * @throws OwnershipLostException if this node does not own the projector
	 * @throws OwnStatementException if the attempt cannot be counted
	 */
	Verdict begin(Work work) {
		Verdict verdict;
		try {
			verdict = write((form) -> countAhead(work, form));
		}
		catch (OwnershipLostException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			throw new OwnStatementException(ex);
		}
		// after the commit: a failed commit counts nothing
		work.markAttempted();
		work.setSuspicion(Suspicion.COUNTED);
		if (verdict instanceof Verdict.Dead dead) {
			log(work, verdict, this.texts.of(died(dead.attempts())));
		}
		return verdict;
	}

	/** Writes in a separate transaction. */
	private Verdict write(Function<TextForm, Verdict> decision) {
		return this.refused.write((form) -> this.transactions.execute(() -> decision.apply(form)));
	}

	private Verdict countAhead(Work work, TextForm form) {
		if (this.claims.unsettled(List.of(work.routed())).isEmpty()) {
			return Verdict.APPLIED;
		}
		Attempt attempt = this.attempts.count(work.routed().eventKey(), form.text(work.routed().event().orderingKey()),
				null, null);
		if (attempt.number() <= this.options.get(ProjectorSettings::maxDeliver)) {
			return Verdict.GO;
		}
		int died = attempt.number() - 1;
		return bury(work, form
			.letter(this.factory.dead(work, "PROCESS_DIED", died(died), new Attempt(died, attempt.firstAt()), null)));
	}

	private Failure died(int attempts) {
		return new Failure("ProcessDied", "The process ended during attempt " + attempts + " of "
				+ this.options.get(ProjectorSettings::maxDeliver) + ".", null);
	}

	/**
	 * Takes back the attempt that {@link #begin} counted, because a stop or a lost lease
	 * ended it and not a failure. If the database does not answer for a second, the
	 * attempt stays counted. For any thread.
	 */
	void takeBack(Work work) {
		TakeBack.insist("Projector '" + this.projector + "': an attempt of " + work, () -> {
			this.attempts.takeBack(work.routed().eventKey());
			return true;
		});
	}

	/**
	 * Decides about an event that failed while it ran alone.
	 * @throws OwnershipLostException if this node does not own the projector
	 */
	Verdict failed(Work work, Throwable thrown) {
		Throwable error = HandlerFailedException.errorOf(thrown);
		HandlerMethod handler = work.routed().handler();
		Duration wait = this.repeated.failed(work.place(), FailureText.kind(error),
				() -> this.texts.of(error, handler));
		if (wait != null) {
			return held(work, wait);
		}
		Failure failure = FailureText.stored(error, handler);
		Verdict verdict = write((form) -> decide(work, error, failure, form));
		boolean again = verdict instanceof Verdict.Retry retry && retry.attempt() > 1
				&& work.suspicion() != Suspicion.COUNTED;
		work.markAttempted();
		// the attempt ended, so it did not end the process
		work.setSuspicion(Suspicion.NONE);
		log(work, verdict, again ? failure.errorClass() : this.texts.of(error, handler));
		if (this.texts.messages()) {
			logger.debug("Projector '{}' failed on {}.", this.projector, work, error);
		}
		return verdict;
	}

	/** All events fail, so nothing is decided about this one. */
	private Verdict held(Work work, Duration wait) {
		if (work.suspicion() == Suspicion.COUNTED) {
			takeBack(work);
		}
		work.setSuspicion(Suspicion.NONE);
		return new Verdict.Held(wait);
	}

	private Verdict decide(Work work, Throwable error, Failure failure, TextForm form) {
		EventKey event = work.routed().eventKey();
		if (!lockUnsettled(work.routed(), event)) {
			return Verdict.APPLIED;
		}
		Failure shown = form.failure(failure);
		Attempt attempt = (work.suspicion() == Suspicion.COUNTED)
				? this.attempts.explain(event, shown.errorClass(), shown.message()) : this.attempts.count(event,
						form.text(work.routed().event().orderingKey()), shown.errorClass(), shown.message());
		Duration redriveAfter = this.options.deadLetters().redriveAfter(error, 0);
		if (!this.classifier.isRetryable(error)) {
			return bury(work, form.letter(this.factory.dead(work, "NOT_RETRYABLE", failure, attempt, redriveAfter)));
		}
		if (attempt.number() >= this.options.get(ProjectorSettings::maxDeliver)) {
			return bury(work,
					form.letter(this.factory.dead(work, "ATTEMPTS_EXHAUSTED", failure, attempt, redriveAfter)));
		}
		Duration delay = this.delays.after(attempt.number());
		this.attempts.schedule(event, delay);
		return new Verdict.Retry(attempt.number(), delay);
	}

	/** Makes a dead letter of an event that cannot be passed to a handler. */
	Verdict refuse(Work work, Rejection rejection) {
		Duration wait = this.repeated.failed(work.place(), rejection.reason() + " " + rejection.failure().errorClass(),
				() -> this.texts.of(rejection.failure()));
		if (wait != null) {
			return held(work, wait);
		}
		EventKey event = work.routed().ledgerKey();
		NewDeadLetter letter = this.factory.dead(work, rejection.reason(), rejection.failure(),
				new Attempt(0, work.place().storedAt()), null);
		Verdict verdict = write((form) -> (event != null && !lockUnsettled(work.routed(), event)) ? Verdict.APPLIED
				: bury(work, form.letter(letter)));
		log(work, verdict, this.texts.of(rejection.failure()));
		return verdict;
	}

	/**
	 * Whether the event is not applied and has no open letter. The claim waits for other
	 * transactions that have claimed it, and blocks later claims until this transaction
	 * ends. Deletes its attempts if it is applied or has a letter.
	 */
	private boolean lockUnsettled(RoutedEvent routed, EventKey key) {
		List<EventKey> event = List.of(key);
		boolean free = !this.claims.unsettled(List.of(routed)).isEmpty() && !this.claims.claim(event).isEmpty();
		if (free) {
			this.claims.unclaim(event);
		}
		else {
			this.attempts.forget(event);
		}
		return free;
	}

	private Verdict bury(Work work, NewDeadLetter letter) {
		if (letter.parkingKey() != null) {
			this.keys.add(letter.parkingKey());
		}
		EventKey event = work.routed().ledgerKey();
		if (event != null) {
			this.claims.giveUp(List.of(event));
		}
		UUID letterId = this.ledger.record(letter);
		if (letterId == null) {
			return Verdict.APPLIED;
		}
		this.records.buried(work);
		if (event != null) {
			this.attempts.forget(List.of(event));
		}
		return new Verdict.Dead(letterId, letter.cause().reason(), letter.cause().attempts());
	}

	private void log(Work work, Verdict verdict, String why) {
		String known = DeadLetterFactory.describe(DeadLetterFactory.known(work.routed()));
		if (verdict instanceof Verdict.Retry retry) {
			logger.warn("Projector '{}' failed on {} at {}: {}. Attempt {} of {}; the next one is in {}.",
					this.projector, known, work, why, retry.attempt(), this.options.get(ProjectorSettings::maxDeliver),
					DurationText.of(retry.delay()));
		}
		else if (verdict instanceof Verdict.Applied) {
			logger.warn("Projector '{}' makes no dead letter of {} at {} after {}, because it was applied or has one"
					+ " already. The event is settled.", this.projector, known, work, why);
		}
		else if (verdict instanceof Verdict.Dead dead) {
			logger.error(
					"Projector '{}' gives up {} at {}: {} {}. It is dead letter '{}' after {} attempts."
							+ " Consider 'eventing dlq show {}', then redriving or discarding it.",
					this.projector, known, work, dead.reason(), why, dead.letterId(), dead.attempts(), dead.letterId());
		}
	}

	/**
	 * What happens to failures beside the ledger.
	 *
	 * @param texts describes them in the log
	 * @param repeated notices that all events fail
	 */
	public record Notices(FailureText texts, RepeatedFailures repeated) {
	}

	/** The decision about an event. */
	sealed interface Verdict {

		Verdict GO = new Go();

		Verdict APPLIED = new Applied();

		/** Its handler can run. */
		record Go() implements Verdict {
		}

		/** It was applied, or has a letter already. It needs no other attempt. */
		record Applied() implements Verdict {
		}

		/** It gets another attempt after the delay. */
		record Retry(int attempt, Duration delay) implements Verdict {
		}

		/** It is tried again after the delay, and nothing was counted. */
		record Held(Duration delay) implements Verdict {
		}

		/** It is a dead letter. */
		record Dead(UUID letterId, String reason, int attempts) implements Verdict {
		}

	}

}
