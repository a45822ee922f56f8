package dev.eventing.sdk.projector.redrive;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.Failure;
import dev.eventing.sdk.deadletter.ledger.RedriveLedger;
import dev.eventing.sdk.deadletter.ledger.RedriveLetter;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projector.attempt.CurrentRun;
import dev.eventing.sdk.projector.attempt.DeadLetterFactory;
import dev.eventing.sdk.projector.attempt.TransientFailures;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The changes that a redrive makes in the ledger: in separate transactions that wait
 * transient failures out, or in the transaction of the handlers. For one thread.
 */
final class LetterChanges {

	private static final Logger logger = LoggerFactory.getLogger(LetterChanges.class);

	private final ProjectorId projector;

	private final RedriveLedger ledger;

	private final CountedRuns runs;

	private final FencedTransactions transactions;

	private final TransientFailures transientFailures;

	private final CurrentRun currentRun;

	LetterChanges(ProjectorId projector, RedriveLedger ledger, FencedTransactions transactions,
			TransientFailures transientFailures, CurrentRun currentRun) {
		this.projector = projector;
		this.ledger = ledger;
		this.runs = new CountedRuns(projector, ledger);
		this.transactions = transactions;
		this.transientFailures = transientFailures;
		this.currentRun = currentRun;
	}

	CurrentRun currentRun() {
		return this.currentRun;
	}

	/** Requests the automatic redrives that are due. */
	void requestDue() throws InterruptedException {
		insist(() -> this.ledger.requestDue(this.projector));
	}

	/** Commits that a run of each letter begins. */
	void begin(List<RedriveLetter> letters) throws InterruptedException {
		insist(() -> this.runs.begin(letters));
	}

	/** Ends the runs of letters whose result is committed. */
	void ended(List<UUID> letterIds) {
		this.runs.ended(letterIds);
	}

	/** Takes back the runs that have begun and not ended. */
	void takeBack() {
		this.runs.takeBack();
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
		park(letter, "PROCESS_DIED", new Failure("ProcessDied", "The process ended during each of the last "
				+ RunLadder.runsAlone(letter) + " redrives of this letter alone.", null), true, null);
	}

	/**
	 * Parks a letter again, with the later letters of its key, in a separate transaction.
	 * @param ran whether its handler ran
	 * @param redriveAfter the time until its automatic redrive, or null for none
	 */
	void park(RedriveLetter letter, String reason, Failure failure, boolean ran, @Nullable Duration redriveAfter)
			throws InterruptedException {
		insist(() -> this.ledger.failedAgain(letter, reason, failure, ran, redriveAfter));
		DeadLetter parked = letter.letter();
		this.runs.ended(List.of(parked.letterId()));
		logger.warn("Projector '{}' cannot redrive dead letter '{}' of event {} {}: {} {}. It is parked again{}.",
				this.projector, parked.letterId(), parked.eventId(), DeadLetterFactory.whose(parked.tenantId()), reason,
				failure.errorClass(), (redriveAfter != null) ? ", and redriven in " + redriveAfter : "");
	}

	/** Changes the ledger in a separate transaction, and waits transient failures out. */
	private void insist(Runnable change) throws InterruptedException {
		this.transientFailures.insist(() -> {
			this.currentRun.again();
			return this.transactions.execute(() -> {
				change.run();
				return true;
			});
		});
	}

}
