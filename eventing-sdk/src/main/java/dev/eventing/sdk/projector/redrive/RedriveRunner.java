package dev.eventing.sdk.projector.redrive;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;

import dev.eventing.sdk.deadletter.ledger.RedriveLedger;
import dev.eventing.sdk.deadletter.ledger.RedriveLetter;
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

	public RedriveRunner(ProjectorEndpoint endpoint, RedriveLedger ledger, FencedTransactions transactions,
			RedriveParts parts) {
		this.endpoint = endpoint;
		this.options = endpoint.options();
		this.handlers = parts.handlers();
		this.decoder = parts.decoder();
		this.transientFailures = parts.transientFailures();
		this.counters = parts.counters();
		this.ledger = new LetterLedger(endpoint.id(), ledger, transactions, parts.transientFailures(), this.currentRun,
				parts.texts());
	}

	/** Requests the automatic redrives that are due. */
	void requestDue() throws InterruptedException {
		this.ledger.requestDue();
	}

	/**
	 * Returns the next letters to run in one transaction. After a process died in a run,
	 * its letters run in groups. After a process died in the run of a group, its letters
	 * run alone.
	 */
	List<RedriveLetter> next() throws InterruptedException {
		return together(this.ledger.next(this.options.get(ProjectorSettings::batchSize),
				Math.min(PAGE_BYTES, this.options.get(ProjectorSettings::maxInFlightBytes).toBytes())));
	}

	/** Returns the first of these letters that may run in one transaction. */
	static List<RedriveLetter> together(List<RedriveLetter> letters) {
		Integer rate = letters.isEmpty() ? null : letters.get(0).ratePerSecond();
		int size = size(letters, rate);
		return letters.subList(0, (rate != null) ? Math.min(size, Math.max(1, rate / 4)) : size);
	}

	private static int size(List<RedriveLetter> letters, @Nullable Integer rate) {
		int size = 0;
		int most = letters.size();
		for (RedriveLetter letter : letters) {
			most = Math.min(most, Rung.after(letter.runs()).most());
			if (size >= most || !Objects.equals(rate, letter.ratePerSecond())) {
				return size;
			}
			size++;
		}
		return size;
	}

	/** What runs now. For any thread. */
	CurrentRun currentRun() {
		return this.currentRun;
	}

	/**
	 * Runs these letters, each to its end, or until it must stop.
	 * @param stopping whether to stop; asked between transactions
	 * @return why a letter stays requested, and the later ones with it: newer code has
	 * written its event. Null if there is no such letter.
	 */
	@Nullable NewerEventException run(List<RedriveLetter> letters, BooleanSupplier stopping) throws InterruptedException {
		try {
			RedriveLetter first = letters.get(0);
			this.currentRun.begin(() -> "dead letter '" + first.letter().letterId() + "'");
			if (Rung.deathsAlone(first.runs()) >= this.options.get(ProjectorSettings::maxDeliver)) {
				this.ledger.died(first);
				return null;
			}
			Map<Work, RedriveLetter> works = new LinkedHashMap<>();
			NewerEventException newer = route(letters, works);
			if (!works.isEmpty()) {
				run(new LetterSteps(this.endpoint, works, this.ledger, this.currentRun, this.handlers,
						this.transientFailures, this.counters), letters.subList(0, works.size()), stopping);
			}
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
			Work work = new Work(this.decoder.route(eventOf(letter)), Settler.NONE);
			NewerEventException newer = work.routed().newer();
			if (newer != null) {
				return newer;
			}
			works.put(work, letter);
		}
		return null;
	}

	/** Its delivery was settled after the letter was written. */
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
