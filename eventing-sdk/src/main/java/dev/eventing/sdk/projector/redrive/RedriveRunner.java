package dev.eventing.sdk.projector.redrive;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;

import dev.eventing.sdk.deadletter.DeadLetter;
import dev.eventing.sdk.deadletter.Failure;
import dev.eventing.sdk.deadletter.ledger.RedriveLedger;
import dev.eventing.sdk.deadletter.ledger.RedriveLetter;
import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorOptions;
import dev.eventing.sdk.projector.attempt.BatchSplitter;
import dev.eventing.sdk.projector.attempt.CurrentRun;
import dev.eventing.sdk.projector.attempt.DeadLetterFactory;
import dev.eventing.sdk.projector.attempt.SuspectGate;
import dev.eventing.sdk.projector.attempt.Suspects;
import dev.eventing.sdk.projector.attempt.TransientFailures;
import dev.eventing.sdk.projector.delivery.DeliveryDecoder;
import dev.eventing.sdk.projector.delivery.ProjectorCounters;
import dev.eventing.sdk.projector.delivery.Rejection;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import dev.eventing.sdk.projector.transaction.HandlerTransaction;
import dev.eventing.sdk.projector.transaction.HandlerTransaction.HandlerFailedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs dead letters while this node may: handlers, ledger and {@code processed_events}
 * change in one transaction, of one letter or of several. What fails goes back to the
 * parked ones, with all that follows it in its key, in a transaction of its own. For one
 * thread.
 */
public final class RedriveRunner {

	private static final Logger logger = LoggerFactory.getLogger(RedriveRunner.class);

	/** What a transaction's letters may have in bytes, or one letter if that has more. */
	private static final long PAGE_BYTES = 8 << 20;

	/** After so many deaths a letter runs alone: after that of a batch and of a group. */
	private static final int RUNS_TOGETHER = 2;

	private final String projector;

	private final ProjectorOptions options;

	private final RedriveLedger ledger;

	private final CountedRuns runs;

	private final FencedTransactions transactions;

	private final HandlerTransaction handlers;

	private final DeliveryDecoder decoder;

	private final TransientFailures transientFailures;

	private final ProjectorCounters counters;

	private final CurrentRun currentRun = new CurrentRun();

	public RedriveRunner(ProjectorEndpoint endpoint, RedriveLedger ledger, FencedTransactions transactions,
			HandlerTransaction handlers, DeliveryDecoder decoder, TransientFailures transientFailures,
			ProjectorCounters counters) {
		this.projector = endpoint.name();
		this.options = endpoint.options();
		this.ledger = ledger;
		this.runs = new CountedRuns(this.projector, ledger);
		this.transactions = transactions;
		this.handlers = handlers;
		this.decoder = decoder;
		this.transientFailures = transientFailures;
		this.counters = counters;
	}

	/** Requests what is to be redriven without being asked for. */
	void requestDue() throws InterruptedException {
		insist(() -> this.ledger.requestDue(this.projector));
	}

	/**
	 * The next letters to run in one transaction. After a process died in such a run its
	 * letters run in groups, and those of a group in which one died again run alone.
	 */
	List<RedriveLetter> next() throws InterruptedException {
		List<RedriveLetter> letters = this.transientFailures.insist(() -> this.ledger.next(this.projector,
				this.options.flow().batchSize(), Math.min(PAGE_BYTES, this.options.flow().maxInFlightBytes())));
		Integer rate = letters.isEmpty() ? null : letters.get(0).ratePerSecond();
		int size = together(letters, rate);
		return letters.subList(0, (rate != null) ? Math.min(size, Math.max(1, rate / 4)) : size);
	}

	private static int together(List<RedriveLetter> letters, @Nullable Integer rate) {
		int size = 0;
		int most = letters.size();
		for (RedriveLetter letter : letters) {
			most = Math.min(most, mostBeside(letter));
			if (size >= most || !Objects.equals(rate, letter.ratePerSecond())) {
				return size;
			}
			size++;
		}
		return size;
	}

	private static int mostBeside(RedriveLetter letter) {
		if (letter.runs() == 0) {
			return Integer.MAX_VALUE;
		}
		return (letter.runs() < RUNS_TOGETHER) ? Suspects.GROUP : 1;
	}

	/** What it has been at since when. For any thread. */
	CurrentRun currentRun() {
		return this.currentRun;
	}

	/**
	 * Runs these letters, each to its end, or as far as it gets until it is to stop.
	 * @param stopping whether it is to; asked between transactions
	 */
	void run(List<RedriveLetter> letters, BooleanSupplier stopping) throws InterruptedException {
		Map<Work, RedriveLetter> works = new LinkedHashMap<>();
		letters.forEach((letter) -> works.put(this.decoder.receive(new LetterOrigin(letter)), letter));
		try {
			this.currentRun.begin(works.keySet().iterator().next());
			run(letters, works, stopping);
		}
		finally {
			this.currentRun.end();
		}
	}

	private void run(List<RedriveLetter> letters, Map<Work, RedriveLetter> works, BooleanSupplier stopping)
			throws InterruptedException {
		if (letters.get(0).runs() - RUNS_TOGETHER >= this.options.retry().maxDeliver()) {
			died(letters.get(0));
			return;
		}
		awaitClaims(works);
		insist(() -> this.runs.begin(letters));
		try {
			BatchSplitter parts = new BatchSplitter(List.copyOf(works.keySet()));
			while (!parts.isEmpty() && !stopping.getAsBoolean()) {
				run(parts, works);
			}
		}
		finally {
			this.runs.takeBack();
		}
	}

	/** A run that only waits, for a former owner that stands still, is none. */
	private void awaitClaims(Map<Work, RedriveLetter> works) throws InterruptedException {
		List<Work> runnable = works.keySet()
			.stream()
			.filter((work) -> Rejection.of(this.projector, work) == null)
			.toList();
		this.transientFailures.insist(() -> {
			this.currentRun.again();
			return this.transactions.look(() -> {
				this.handlers.awaitClaims(reopen(runnable, works));
				return true;
			});
		});
	}

	private void run(BatchSplitter parts, Map<Work, RedriveLetter> works) throws InterruptedException {
		List<Work> part = runnable(parts.next(this.options.flow().batchSize()), parts, works);
		Throwable failure = part.isEmpty() ? null : attempt(part, works);
		if (failure != null && part.size() == 1) {
			failed(letter(part.get(0), works), failure);
		}
		else if (failure != null) {
			parts.putFirst(part, failure);
		}
	}

	private static RedriveLetter letter(Work work, Map<Work, RedriveLetter> works) {
		return Objects.requireNonNull(works.get(work));
	}

	/**
	 * The letters up to the first one that no handler can be given; that one is parked.
	 */
	private List<Work> runnable(List<Work> part, BatchSplitter parts, Map<Work, RedriveLetter> works)
			throws InterruptedException {
		for (int at = 0; at < part.size(); at++) {
			RedriveLetter letter = letter(part.get(at), works);
			Rejection rejection = rejection(part.get(at), letter.letter());
			if (rejection != null) {
				parts.putFirst(part.subList((at == 0) ? 1 : at, part.size()));
				if (at == 0) {
					park(letter, rejection.reason(), rejection.failure(), false, null);
				}
				return part.subList(0, at);
			}
		}
		return part;
	}

	private @Nullable Rejection rejection(Work work, DeadLetter letter) {
		Rejection rejection = Rejection.of(this.projector, work);
		if (rejection == null && letter.tenantId() != null
				&& !work.eventKey().equals(new EventKey(letter.tenantId(), letter.eventId()))) {
			return new Rejection("OTHER_EVENT",
					new Failure("OtherEvent",
							"The edited payload says that it is event '" + work.event().id() + "' of tenant '"
									+ work.event().tenantId() + "', but the letter is of event '" + letter.eventId()
									+ "' of tenant '" + letter.tenantId()
									+ "'. Consider a payload with the letter's id and tenant.",
							null));
		}
		return rejection;
	}

	/** Applies a part in one transaction; returns the failure, or null. */
	private @Nullable Throwable attempt(List<Work> part, Map<Work, RedriveLetter> works) throws InterruptedException {
		boolean suspect = part.stream().anyMatch((work) -> letter(work, works).runs() > 0);
		return this.transientFailures.attempt(() -> {
			this.currentRun.begin(part.get(0));
			if (suspect) {
				SuspectGate.OF_PROCESS.run(() -> apply(part, works));
			}
			else {
				apply(part, works);
			}
		});
	}

	private void apply(List<Work> part, Map<Work, RedriveLetter> works) {
		List<UUID> ended = new ArrayList<>();
		int applied = this.handlers.execute((handlers) -> {
			List<Work> mine = reopen(part, works);
			if (mine.isEmpty()) {
				return 0;
			}
			List<Work> fresh = handlers.apply(mine);
			this.ledger.resolved(this.projector, ids(fresh, works), ids(without(mine, fresh), works));
			ended.addAll(ids(mine, works));
			return fresh.size();
		}, this.currentRun::begin);
		this.runs.ended(ended);
		this.counters.redriven.add(applied);
		logger.info(
				"Projector '{}' redrove {} of {} dead letters, {} and what follows; the others were closed, changed or"
						+ " applied before.",
				this.projector, applied, part.size(), part.get(0));
	}

	/** Those of the events that may be claimed from now on in this transaction. */
	private List<Work> reopen(List<Work> part, Map<Work, RedriveLetter> works) {
		List<RedriveLetter> letters = part.stream().map((work) -> letter(work, works)).toList();
		Set<UUID> locked = this.ledger.lock(this.projector, letters);
		if (!locked.isEmpty()) {
			this.ledger.resolve(locked);
		}
		return part.stream().filter((work) -> locked.contains(letter(work, works).letter().letterId())).toList();
	}

	private static List<Work> without(List<Work> all, Collection<Work> some) {
		List<Work> rest = new ArrayList<>(all);
		rest.removeAll(some);
		return rest;
	}

	private static List<UUID> ids(List<Work> some, Map<Work, RedriveLetter> works) {
		return some.stream().map((work) -> letter(work, works).letter().letterId()).toList();
	}

	private void failed(RedriveLetter letter, Throwable thrown) throws InterruptedException {
		Throwable error = HandlerFailedException.errorOf(thrown);
		Duration redriveAfter = this.options.deadLetters()
			.redriveAfter(error, letter.letter().handling().redrives() + 1);
		this.counters.failedAttempts.increment();
		park(letter, "REDRIVE_FAILED", Failure.of(error), true, redriveAfter);
	}

	private void died(RedriveLetter letter) throws InterruptedException {
		park(letter, "PROCESS_DIED", new Failure("ProcessDied", "The process ended during each of the last "
				+ (letter.runs() - RUNS_TOGETHER) + " redrives of this letter alone.", null), true, null);
	}

	private void park(RedriveLetter letter, String reason, Failure failure, boolean ran,
			@Nullable Duration redriveAfter) throws InterruptedException {
		insist(() -> this.ledger.failedAgain(letter, reason, failure, ran, redriveAfter));
		DeadLetter parked = letter.letter();
		this.runs.ended(List.of(parked.letterId()));
		logger.warn("Projector '{}' cannot redrive dead letter '{}' of event {} {}: {} {}. It is parked" + " again{}.",
				this.projector, parked.letterId(), parked.eventId(), DeadLetterFactory.whose(parked.tenantId()), reason,
				failure.errorClass(), (redriveAfter != null) ? ", and redriven in " + redriveAfter : "");
	}

	/** Changes the ledger in a transaction of its own, whatever it takes. */
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
