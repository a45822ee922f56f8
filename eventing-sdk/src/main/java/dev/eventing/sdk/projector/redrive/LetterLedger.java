package dev.eventing.sdk.projector.redrive;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.Failure;
import dev.eventing.sdk.deadletter.TextForm;
import dev.eventing.sdk.deadletter.ledger.RedriveLedger;
import dev.eventing.sdk.deadletter.ledger.RedriveLetter;
import dev.eventing.sdk.event.DurationText;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.attempt.CurrentRun;
import dev.eventing.sdk.projector.attempt.DeadLetterFactory;
import dev.eventing.sdk.projector.attempt.TransientFailures;
import dev.eventing.sdk.projector.delivery.Rejection;
import dev.eventing.sdk.projector.failure.FailureText;
import dev.eventing.sdk.projector.failure.RefusedTexts;
import dev.eventing.sdk.projector.failure.TakeBack;
import dev.eventing.sdk.projector.suspect.Rung;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ledger as a redrive changes it: in separate transactions, which are repeated after
 * transient failures, or in the transaction of the handlers. Counts the runs of letters
 * before they begin. If the process dies, its runs stay counted; a run that ends without
 * a result for other reasons is taken back. For one thread.
 */
final class LetterLedger {

	private static final Logger logger = LoggerFactory.getLogger(LetterLedger.class);

	private final ProjectorId projector;

	private final RedriveLedger ledger;

	private final FencedTransactions transactions;

	private final TransientFailures transientFailures;

	private final CurrentRun currentRun;

	private final RefusedTexts refused;

	private final FailureText texts;

	/** The letters whose run has begun and not ended. */
	private final Map<UUID, RedriveLetter> open = new LinkedHashMap<>();

	LetterLedger(ProjectorId projector, RedriveLedger ledger, FencedTransactions transactions,
			TransientFailures transientFailures, CurrentRun currentRun, FailureText texts) {
		this.projector = projector;
		this.ledger = ledger;
		this.transactions = transactions;
		this.transientFailures = transientFailures;
		this.currentRun = currentRun;
		this.refused = new RefusedTexts(projector);
		this.texts = texts;
	}

	/** Requests the automatic redrives that are due. */
	void requestDue() throws InterruptedException {
		insist(() -> this.ledger.requestDue(this.projector));
	}

	/** Commits that a run of each letter begins. */
	void begin(List<RedriveLetter> letters) throws InterruptedException {
		insist(() -> {
			this.open.clear();
			letters.forEach((letter) -> this.open.put(letter.letter().letterId(), letter));
			this.ledger.begin(this.open.keySet());
		});
	}

	/** Ends the runs of letters whose result is committed. */
	void ended(Collection<UUID> letterIds) {
		this.open.keySet().removeAll(letterIds);
	}

	/**
	 * Takes back the runs that have not ended, because their letters reached no handler,
	 * or a stop or another node interrupted them. Does not need the lease. Tries for
	 * about a second; after that they stay counted.
	 */
	void takeBack() {
		if (!this.open.isEmpty()) {
			TakeBack.insist("Projector '" + this.projector + "': a redrive of " + this.open.size() + " dead letters",
					() -> {
						List<RedriveLetter> left = this.ledger.unbegin(List.copyOf(this.open.values()));
						this.open.keySet()
							.retainAll(left.stream().map((letter) -> letter.letter().letterId()).toList());
						return this.open.isEmpty();
					});
			this.open.clear();
		}
	}

	/**
	 * Locks and closes letters in the caller's transaction, so that their events can be
	 * claimed.
	 * @return the ids of the closed letters; the others must not run in this transaction
	 */
	Set<UUID> close(List<RedriveLetter> letters) {
		Set<UUID> locked = this.ledger.lock(this.projector, letters);
		if (!locked.isEmpty()) {
			this.ledger.resolve(locked);
		}
		return locked;
	}

	/** Records the results of closed letters, in the caller's transaction. */
	void resolved(List<UUID> applied, List<UUID> duplicates) {
		this.ledger.resolved(this.projector, applied, duplicates);
	}

	/**
	 * Records which event was applied in place of a message without a tenant, in the
	 * caller's transaction.
	 */
	void mended(UUID letterId, EventKey event) {
		this.ledger.mended(letterId, event);
	}

	/** Runs an action in a transaction that is rolled back. */
	void look(Runnable action) throws InterruptedException {
		this.transientFailures.insist(() -> {
			this.currentRun.again();
			return this.transactions.look(() -> {
				action.run();
				return true;
			});
		});
	}

	/** Parks a letter again, because the process died too often while it ran alone. */
	void died(RedriveLetter letter) throws InterruptedException {
		Failure failure = new Failure("ProcessDied", "The process ended during each of the last "
				+ Rung.deathsAlone(letter.runs()) + " redrives of this letter alone.", null);
		park(letter, "PROCESS_DIED", failure, this.texts.of(failure), true, null);
	}

	/** Parks a letter again that cannot be passed to a handler. */
	void rejected(RedriveLetter letter, Rejection rejection) throws InterruptedException {
		park(letter, rejection.reason(), rejection.failure(), this.texts.of(rejection.failure()), false, null);
	}

	/**
	 * Parks a letter again whose handler failed.
	 * @param handler the handler of its event
	 * @param redriveAfter the time until its automatic redrive, or null for none
	 */
	void failed(RedriveLetter letter, Throwable error, @Nullable HandlerMethod handler, @Nullable Duration redriveAfter)
			throws InterruptedException {
		park(letter, "REDRIVE_FAILED", FailureText.stored(error, handler), this.texts.of(error, handler), true,
				redriveAfter);
		if (this.texts.messages()) {
			logger.debug("Projector '{}' failed on dead letter '{}'.", this.projector, letter.letter().letterId(),
					error);
		}
	}

	/**
	 * Parks a letter again, with the later letters of its key, in a separate transaction.
	 * @param why the failure, for the log
	 * @param ran whether its handler ran
	 */
	private void park(RedriveLetter letter, String reason, Failure failure, String why, boolean ran,
			@Nullable Duration redriveAfter) throws InterruptedException {
		write((texts) -> this.ledger.failedAgain(letter, reason, texts.failure(failure), ran, redriveAfter));
		DeadLetter parked = letter.letter();
		ended(List.of(parked.letterId()));
		logger.warn("Projector '{}' cannot redrive dead letter '{}' of event {} {}: {} {}. It is parked again{}.",
				this.projector, parked.letterId(), parked.eventId(), DeadLetterFactory.whose(parked.tenantId()), reason,
				why, (redriveAfter != null) ? ", and redriven in " + DurationText.of(redriveAfter) : "");
	}

	/** Changes the ledger in a separate transaction, and waits transient failures out. */
	private void insist(Runnable change) throws InterruptedException {
		this.transientFailures.insist(() -> {
			this.currentRun.again();
			return execute(change);
		});
	}

	/** As {@link #insist}, for a change with texts that the database may refuse. */
	private void write(Consumer<TextForm> change) throws InterruptedException {
		this.transientFailures.insist(() -> {
			this.currentRun.again();
			return this.refused.write((form) -> execute(() -> change.accept(form)));
		});
	}

	private boolean execute(Runnable change) {
		return this.transactions.execute(() -> {
			change.run();
			return true;
		});
	}

}
