package dev.eventing.sdk.projector.redrive;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;

import dev.eventing.sdk.deadletter.ledger.RedriveLedger;
import dev.eventing.sdk.deadletter.ledger.RedriveLetter;
import dev.eventing.sdk.deadletter.ledger.RedriveQueue;
import dev.eventing.sdk.deadletter.ledger.RedriveTurn;
import dev.eventing.sdk.event.NewerEventException;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorOptions;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.attempt.BatchRun;
import dev.eventing.sdk.projector.attempt.CurrentRun;
import dev.eventing.sdk.projector.attempt.TransientFailures;
import dev.eventing.sdk.projector.delivery.DeliveryDecoder;
import dev.eventing.sdk.projector.delivery.ProjectorCounters;
import dev.eventing.sdk.projector.delivery.Settler;
import dev.eventing.sdk.projector.delivery.SourceEvent;
import dev.eventing.sdk.projector.delivery.WireEvent;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.suspect.Rung;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import dev.eventing.sdk.projector.transaction.HandlerTransaction;
import org.jspecify.annotations.Nullable;

/**
 * Runs dead letters. The changes of handlers, ledger and {@code processed_events} commit
 * in one transaction, for one letter or several. A letter that fails is parked again,
 * with the later letters of its key, in a separate transaction. For one thread, except
 * {@link #currentRun}.
 */
public final class RedriveRunner {

	/**
	 * The letters of a transaction end with the one that reaches this number of bytes.
	 */
	private static final long PAGE_BYTES = 8 << 20;

	private final ProjectorEndpoint endpoint;

	private final ProjectorOptions options;

	private final DeliveryDecoder decoder;

	private final HandlerTransaction handlers;

	private final TransientFailures transientFailures;

	private final ProjectorCounters counters;

	private final CurrentRun currentRun = new CurrentRun();

	private final LetterLedger ledger;

	private final RedriveQueue queue;

	private final RedriveTurns turns = new RedriveTurns();

	public RedriveRunner(ProjectorEndpoint endpoint, RedriveLedger ledger, RedriveQueue queue,
			FencedTransactions transactions, RedriveParts parts) {
		this.endpoint = endpoint;
		this.queue = queue;
		this.options = endpoint.options();
		this.handlers = parts.handlers();
		this.decoder = parts.decoder();
		this.transientFailures = parts.transientFailures();
		this.counters = parts.counters();
		this.ledger = new LetterLedger(endpoint.id(), ledger, transactions, parts.transientFailures(), this.currentRun,
				parts.texts());
	}

	/**
	 * Returns the next letters to run in one transaction; none if there are no letters,
	 * or if all wait for the rates of their redrives. After a process died in a run, its
	 * letters run in groups. After a process died in the run of a group, its letters run
	 * alone.
	 */
	List<RedriveLetter> next() throws InterruptedException {
		boolean old = this.turns.areOld();
		if (old) {
			look();
		}
		List<RedriveLetter> letters = page();
		if (letters.isEmpty() && !old && this.turns.waiting().isEmpty()) {
			look();
			letters = page();
		}
		return together(letters);
	}

	/** The time until letters are due whose redrive waits; null if none does. */
	@Nullable Duration untilDue() {
		return this.turns.untilDue();
	}

	/** Looks for redrives, after those that are to begin by themselves have begun. */
	private void look() throws InterruptedException {
		this.ledger.requestDue();
		this.turns.looked(this.transientFailures.insist(() -> this.queue.redrives(this.endpoint.id())));
	}

	private List<RedriveLetter> page() throws InterruptedException {
		List<RedriveTurn> due = this.turns.due();
		if (due.isEmpty()) {
			return List.of();
		}
		Set<UUID> waiting = this.turns.waiting();
		List<RedriveLetter> letters = this.transientFailures.insist(
				() -> this.queue.next(this.endpoint.id(), due, waiting, this.options.get(ProjectorSettings::batchSize),
						Math.min(PAGE_BYTES, this.options.get(ProjectorSettings::maxInFlightBytes).toBytes())));
		if (letters.isEmpty()) {
			this.turns.ended(due);
		}
		return letters;
	}

	/**
	 * Returns the first of these letters that may run in one transaction. A redrive with
	 * a rate shares no transaction with others, which need not wait for the rate.
	 */
	private static List<RedriveLetter> together(List<RedriveLetter> letters) {
		Integer rate = letters.isEmpty() ? null : letters.get(0).ratePerSecond();
		int size = size(letters);
		return letters.subList(0, (rate != null) ? Math.min(size, Math.max(1, rate / 4)) : size);
	}

	private static int size(List<RedriveLetter> letters) {
		int size = 0;
		int most = letters.size();
		for (RedriveLetter letter : letters) {
			most = Math.min(most, Rung.after(letter.runs()).most());
			if (size >= most || !Objects.equals(paced(letters.get(0)), paced(letter))) {
				return size;
			}
			size++;
		}
		return size;
	}

	/** The redrive to whose rate the letter keeps, or null if it has none. */
	private static @Nullable UUID paced(RedriveLetter letter) {
		return (letter.ratePerSecond() != null) ? letter.redriveId() : null;
	}

	/** What runs now. For any thread. */
	CurrentRun currentRun() {
		return this.currentRun;
	}

	/**
	 * Runs these letters, each to its end, or until it must stop.
	 * @param stopping whether to stop; asked between transactions
	 * @return why a letter and the later ones stay requested, because newer code has
	 * written its event; null if there is no such letter
	 */
	@Nullable NewerEventException run(List<RedriveLetter> letters, BooleanSupplier stopping) throws InterruptedException {
		long began = System.nanoTime();
		try {
			RedriveLetter first = letters.get(0);
			this.currentRun.begin(() -> "dead letter '" + first.letter().letterId() + "'");
			if (Rung.deathsAlone(first.runs()) >= this.options.get(ProjectorSettings::maxDeliver)) {
				this.ledger.died(first);
				this.turns.ran(letters.subList(0, 1), began);
				return null;
			}
			Map<Work, RedriveLetter> works = new LinkedHashMap<>();
			NewerEventException newer = route(letters, works);
			List<RedriveLetter> routed = letters.subList(0, works.size());
			if (!routed.isEmpty()) {
				run(new LetterSteps(this.endpoint, works, this.ledger, this.currentRun, this.handlers,
						this.transientFailures, this.counters), routed, stopping);
			}
			this.turns.ran(routed, began);
			return newer;
		}
		finally {
			this.currentRun.end();
		}
	}

	/**
	 * Adds the letters before the first one that needs newer code; returns why it does.
	 */
	private @Nullable NewerEventException route(List<RedriveLetter> letters, Map<Work, RedriveLetter> works) {
		for (RedriveLetter letter : letters) {
			// its delivery was settled after the letter was written
			Work work = new Work(this.decoder.route(eventOf(letter)), Settler.NONE);
			NewerEventException newer = work.routed().newer();
			if (newer != null) {
				return newer;
			}
			works.put(work, letter);
		}
		return null;
	}

	private static SourceEvent eventOf(RedriveLetter letter) {
		return WireEvent.of(letter.letter().place(), letter.event(), letter.letter().handling().edited() != null);
	}

	private void run(LetterSteps steps, List<RedriveLetter> letters, BooleanSupplier stopping)
			throws InterruptedException {
		steps.awaitClaims();
		this.ledger.begin(letters);
		try {
			new BatchRun(this.options, steps).run(steps.works(), stopping);
		}
		finally {
			this.ledger.takeBack();
		}
	}

}
