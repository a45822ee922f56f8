package dev.eventing.sdk.relay;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.lease.Lease;
import dev.eventing.sdk.nats.NatsUnavailableException;
import dev.eventing.sdk.nats.Published;
import dev.eventing.sdk.nats.StreamTails;
import dev.eventing.sdk.relay.JdbcRelayPositions.Mark;
import dev.eventing.sdk.relay.JdbcRelayPositions.Passed;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes from one audit of the streams to the next interruption. All work happens on
 * the relay's thread, in turns. Only outcomes of publishes, pages read ahead and the end
 * of a save of the position come from other threads.
 */
final class RelayRun implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(RelayRun.class);

	private static final long ACK_WAIT = TimeUnit.SECONDS.toNanos(5);

	private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(5);

	private static final long LONGEST_REST = RunSaves.EVERY;

	private static final long SHORTEST_POLL = TimeUnit.MILLISECONDS.toNanos(1);

	private static final long SHORTEST_REST = TimeUnit.MICROSECONDS.toNanos(100);

	private static final long COMPARE_EVERY = TimeUnit.SECONDS.toNanos(5);

	private final RelayOptions options;

	private final Lease lease;

	private final WindowFiller arrivals;

	private final ReadAhead readAhead;

	private final WakeUp wakeUp;

	private final Outbox outbox;

	private final RelayCheckpoint checkpoint;

	private final StoppedStreams stopped;

	private final StreamTails tails;

	private final RelayCounters counters;

	private final Window window;

	private final RunSaves saves;

	private final FailedPublishes failures;

	/** When the streams were compared, by {@link System#nanoTime}. */
	private long compared = System.nanoTime() - COMPARE_EVERY;

	RelayRun(RelayOptions options, Lease lease, Resumption resumption, Resources resources) {
		this.options = options;
		this.lease = lease;
		this.readAhead = resources.readAhead();
		this.wakeUp = resources.wakeUp();
		this.outbox = resources.outbox();
		this.checkpoint = resources.checkpoint();
		this.stopped = resources.stopped();
		this.tails = resources.tails();
		this.counters = resources.counters();
		this.window = new Window(options.bounds().events(), options.bounds().bytes());
		this.saves = new RunSaves(options.name(), this.checkpoint, this.stopped, this.wakeUp);
		this.failures = new FailedPublishes(options, this.window, this.stopped, resources.aside(), this.counters,
				resources.retries());
		this.arrivals = new WindowFiller(options, resumption, this.readAhead, this.stopped, this.counters, this.window,
				resources.categories());
	}

	/**
	 * Does the work that is due, or waits a little if there is none.
	 * @param paused whether reading and publishing are paused
	 */
	void turn(boolean paused) throws InterruptedException {
		this.saves.beginTurn();
		boolean worked = collect();
		long now = System.nanoTime();
		compareAfterTrouble(now);
		if (isSuspicious()) {
			return; // the next audit finds the ends that were saved before
		}
		worked |= this.saves.collect();
		worked |= sweep(now);
		// If the process was frozen, another node may hold the lease now.
		boolean active = !paused && this.lease.isCurrent();
		if (active) {
			worked |= this.stopped.retryInto(this.window, now);
			worked |= !this.saves.isLate(now) && this.arrivals.take();
			worked |= this.outbox.send(this.window);
		}
		if (this.saves.isDue(now) && this.checkpoint.hasNews(position())) {
			this.saves.save(now, position(), last());
			worked = true;
		}
		if (!worked) {
			rest(now, active);
		}
	}

	/** Waits a short time for events in flight, and saves the progress. */
	void finish() throws InterruptedException {
		long end = System.nanoTime() + ACK_WAIT;
		while (this.window.inFlight() > 0 && System.nanoTime() - end < 0 && !this.lease.isLost()) {
			if (!collect()) {
				this.wakeUp.await(SHORTEST_POLL, this.outbox::isEmpty);
			}
		}
		this.saves.await();
		if (this.checkpoint.hasNews(position()) && !isSuspicious()) {
			this.saves.saveAll(position(), last());
		}
	}

	/** The last event up to the {@link #position()}; null if there was none yet. */
	private @Nullable Passed last() {
		return this.window.isDone() ? this.arrivals.last() : this.window.lastDone();
	}

	long position() {
		return this.window.donePosition(this.arrivals.position());
	}

	int size() {
		return this.options.bounds().events() - this.window.room();
	}

	/**
	 * Whether it saved what it published, or a recent answer of the database left nothing
	 * to do.
	 */
	boolean hasGoneOn() {
		return this.saves.hasSaved() || (size() == 0 && this.readAhead.isAtEnd() && !this.checkpoint.hasNews(position())
				&& this.readAhead.sinceLook().compareTo(ANSWERS_WITHIN) < 0);
	}

	/** How long a read or a save has waited for the database. For any thread. */
	Duration silentFor() {
		Duration reading = this.readAhead.silentFor();
		Duration saving = this.saves.silentFor();
		return (reading.compareTo(saving) > 0) ? reading : saving;
	}

	/** Why events wait to be published again, or none is taken; null if neither is so. */
	@Nullable String trouble() {
		String trouble = this.failures.trouble();
		return (trouble == null && this.stopped.isFull()) ? this.stopped.whyFull() : trouble;
	}

	/**
	 * Whether a stream was restored to an earlier state during this run, so that the
	 * relay must audit it.
	 */
	boolean isSuspicious() {
		return this.checkpoint.isSetBack();
	}

	/**
	 * A leader that took over may lack the end of its stream, although the connection
	 * stayed.
	 */
	private void compareAfterTrouble(long now) {
		if (this.failures.areOver() && now - this.compared >= COMPARE_EVERY) {
			this.compared = now;
			this.failures.compared();
			this.checkpoint.compareWith(this.tails::find);
		}
	}

	private boolean collect() {
		boolean any = false;
		for (Outcome outcome = this.outbox.poll(); outcome != null; outcome = this.outbox.poll()) {
			any = true;
			Published confirmation = outcome.confirmation();
			if (confirmation != null) {
				confirmed(outcome, confirmation);
			}
			else if (outcome.batch()) {
				logger.info("Relay '{}': a batch of {} events is published event by event: {}", this.options.name(),
						outcome.slots().size(), outcome.message());
				this.window.batchFailed(outcome.slots());
			}
			else {
				failed(outcome.slots().get(0), outcome);
			}
		}
		return any;
	}

	private void confirmed(Outcome outcome, Published confirmation) {
		if (!this.checkpoint.knows(confirmation.stream())) {
			this.tails.find(confirmation.stream())
				.ifPresent((tail) -> this.checkpoint.met(tail.stream(), new Mark(tail.created(), 0)));
		}
		this.checkpoint.confirmed(confirmation);
		this.failures.confirmed(outcome, confirmation.stream());
		for (Slot slot : outcome.slots()) {
			if (slot.state != Slot.State.DONE) {
				this.window.done(slot);
				this.counters.published(confirmation.duplicate());
				if (slot.isRetried()) {
					this.stopped.published(slot, confirmation);
				}
			}
		}
		this.failures.done(outcome.slots());
	}

	private void failed(Slot slot, Outcome outcome) {
		if (slot.state != Slot.State.IN_FLIGHT || slot.attempt != outcome.attempt()) {
			return; // a later attempt is in flight
		}
		this.failures.failed(slot, outcome);
	}

	private boolean sweep(long now) {
		List<Slot> overdue = this.window.sentBefore(now - ACK_WAIT);
		for (Slot slot : overdue) {
			this.failures.unanswered(slot, new NatsUnavailableException(unconfirmed(), null));
		}
		return !overdue.isEmpty();
	}

	/**
	 * A server does not answer what it denies, such as a publish with an inbox for the
	 * reply.
	 */
	private String unconfirmed() {
		String denied = this.outbox.lastViolation();
		return "JetStream has not confirmed it within " + TimeUnit.NANOSECONDS.toSeconds(ACK_WAIT) + " s."
				+ ((denied != null) ? " The server reported: " + denied + "." : "");
	}

	/**
	 * Waits for the next outcome, page or deadline.
	 * @param active whether new events would be published; otherwise they do not end the
	 * wait
	 */
	private void rest(long now, boolean active) throws InterruptedException {
		long wake = this.window.nextRetry(now + LONGEST_REST);
		long nanos = Math.max(SHORTEST_REST, Math.min(wake - now, LONGEST_REST));
		boolean taking = active && !this.saves.isLate(now);
		this.wakeUp.await(nanos,
				() -> this.outbox.isEmpty() && !this.saves.hasEnded() && !(taking && this.arrivals.areThere()));
	}

	/** The stack trace of the running save, on any thread; empty if none runs. */
	List<StackTraceElement> savingStack() {
		return this.saves.stack();
	}

	/** Waits for the save that is running, and stops reading ahead. */
	@Override
	public void close() {
		try (this.saves) {
			this.readAhead.close();
		}
	}

	/**
	 * The parts of one run.
	 */
	record Resources(ReadAhead readAhead, WakeUp wakeUp, Outbox outbox, RelayCheckpoint checkpoint,
			StoppedStreams stopped, StreamTails tails, SetAside aside, RelayCounters counters,
			RelayCategories categories, LoggedRetries retries) {
	}

}
