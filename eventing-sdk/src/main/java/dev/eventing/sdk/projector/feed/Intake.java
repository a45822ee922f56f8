package dev.eventing.sdk.projector.feed;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.OperatorMustActException;
import dev.eventing.sdk.UnavailableException;
import dev.eventing.sdk.event.NewerEventException;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.idempotency.PrunedHistoryException;
import dev.eventing.sdk.nats.DurableGoneException;
import dev.eventing.sdk.projection.ledger.Pause;
import dev.eventing.sdk.projector.PassedOverException;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.control.PauseSwitch;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import dev.eventing.sdk.projector.failure.RepeatedFailures;
import dev.eventing.sdk.schema.TableGuard;
import dev.eventing.sdk.store.LogSetBackException;
import dev.eventing.sdk.worker.SupervisedWorker;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.TransactionException;

/**
 * Feeds a projector's lanes. After an outage it tries again, until it is stopped. It also
 * maintains the state of the projector.
 */
public final class Intake {

	private static final Logger logger = LoggerFactory.getLogger(Intake.class);

	private static final Duration SAVE_EVERY = Duration.ofSeconds(5);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

	private final ProjectorId projector;

	private final Feed feed;

	private final CountDownLatch stopping;

	private final PauseSwitch pause;

	private final RepeatedFailures failures;

	private final TableGuard tables;

	private final CurrentState state;

	private final SupervisedWorker worker;

	private long savedAt = System.nanoTime();

	/** Whether it knows what operators decided before it took its first event. */
	private boolean looked;

	/** Whether the feed was ready once, so that there is something to save. */
	private boolean ready;

	/** Not null while it must take nothing; another object each time. */
	private volatile @Nullable Object hold;

	/** The hold that its thread has met: the feed is at rest since then. */
	private volatile @Nullable Object met;

	/** Why it takes no more events on this node; null while it may. */
	private volatile @Nullable NewerEventException newer;

	/** Whether the feed has counted its unread events since it was made ready. */
	private volatile boolean counted;

	/**
	 * Creates an intake for a feed.
	 * @param stopping counted down when it must stop
	 * @param holds what may keep it from taking events
	 */
	public Intake(ProjectorId projector, Feed feed, CountDownLatch stopping, Holds holds) {
		this.projector = projector;
		this.state = new CurrentState(projector);
		this.feed = feed;
		this.stopping = stopping;
		this.pause = holds.pause();
		this.failures = holds.failures();
		this.tables = holds.tables();
		// Virtual lane threads are daemons. This thread keeps the JVM alive.
		this.worker = SupervisedWorker.of(projector.thread("intake"), this::run);
	}

	public SupervisedWorker worker() {
		return this.worker;
	}

	public CurrentState.Entry state() {
		Pause current = this.pause.current();
		return (current != null) ? new CurrentState.Entry(ProjectorState.PAUSED, current.describe(), current.since())
				: this.state.get();
	}

	/**
	 * Why this node must leave the projector to one with newer code: the next event needs
	 * it. Null if there is no such reason.
	 */
	public @Nullable String newer() {
		NewerEventException met = this.newer;
		return (met != null) ? String.valueOf(met.getMessage()) : null;
	}

	/** What else operators must know, as an addition to the state; or an empty text. */
	public String alarm() {
		Undelivered current = undelivered();
		return this.feed.alarm() + ((current != null) ? "; " + current.why() : "");
	}

	/** Takes no more events until {@link #release}. For one thread at a time. */
	public void hold() {
		this.hold = new Object();
	}

	/** Whether it is held, and touches the feed no more. */
	public boolean isAtRest() {
		Object current = this.hold;
		return current != null && this.met == current;
	}

	/** Takes events again. */
	public void release() {
		this.hold = null;
	}

	/**
	 * The place up to which all events are settled, and no later one is. Null if that is
	 * not so, or not known. For a thread that has awaited the end of the worker, or knows
	 * that it is {@link #isAtRest at rest}.
	 */
	public @Nullable Long settledTo() {
		return this.ready ? this.feed.settledTo() : null;
	}

	/**
	 * The number of unread events, as the feed last knew it.
	 */
	public long pending() {
		return this.feed.pending();
	}

	/** Since when nothing is delivered although events wait; null if that is not so. */
	public @Nullable Undelivered undelivered() {
		return isHeldUp() ? null : this.feed.undelivered();
	}

	/** The number of unread events; null if it is not known how many there are now. */
	public @Nullable Long knownPending() {
		return (this.counted && this.state.get().state().isReading()) ? pending() : null;
	}

	/** Stops feeding. Its thread ends soon after. */
	public void stop() {
		this.stopping.countDown();
		this.worker.requestStop();
	}

	/**
	 * Makes the feed ready once before the thread runs, so that a configuration error
	 * fails the start of the application. If a server is unreachable, the thread waits
	 * for it later.
	 * @throws OperatorMustActException if the configuration must be corrected, or the
	 * SDK's tables cannot be relied on
	 * @throws IllegalTransactionStateException if transactions cannot run at read
	 * committed
	 */
	public void prepare() throws InterruptedException {
		try {
			look();
			makeReady();
		}
		catch (IllegalTransactionStateException ex) {
			throw ex;
		}
		catch (UnavailableException | DataAccessException | TransactionException ex) {
			this.state.away(ex);
		}
		catch (PrunedHistoryException | PassedOverException ex) {
			this.state.failed(String.valueOf(ex.getMessage()));
		}
	}

	private void run() throws InterruptedException {
		try {
			for (int failures = 0; !isStopping(); failures++) {
				Duration pause = LONGEST_PAUSE.dividedBy(1L << Math.max(0, 4 - Math.min(failures, 4)));
				if (feed()) {
					failures = 0;
				}
				if (this.worker.rest(() -> this.stopping.await(pause.toMillis(), TimeUnit.MILLISECONDS))) {
					break;
				}
			}
		}
		finally {
			this.feed.close();
		}
		this.state.is(ProjectorState.STOPPED, "stopped");
	}

	/** Feeds until an error or a stop. Returns whether an event arrived. */
	private boolean feed() throws InterruptedException {
		Object held = this.hold;
		if (held != null) {
			this.met = held;
			this.worker.beat();
			return false;
		}
		long before = this.feed.arrived();
		this.counted = false;
		try {
			look();
			if (!isHeldUp() && this.newer == null) {
				makeReady();
				feedUntilStopped();
			}
			else if (this.ready) {
				saveNowAndThen(); // lanes complete what they hold, operators redrive
			}
		}
		catch (NewerEventException ex) {
			this.newer = ex;
			this.state.is(ProjectorState.WAITING_FOR_NEWER_CODE, String.valueOf(ex.getMessage()));
			this.feed.close();
		}
		catch (DurableGoneException ex) {
			logger.warn("Projector '{}': {} The projector reconciles the durable.", this.projector, ex.getMessage());
			this.feed.close();
		}
		catch (OperatorMustActException | LogSetBackException ex) {
			this.state.failed(String.valueOf(ex.getMessage()));
			this.feed.close();
		}
		catch (UnavailableException | DataAccessException | TransactionException ex) {
			this.state.away(ex);
			this.feed.close();
		}
		catch (OwnershipLostException ex) {
			logger.debug("Intake of projector '{}' ends.", this.projector, ex);
			stop();
		}
		this.worker.beat();
		return this.feed.arrived() > before;
	}

	/**
	 * Asks once whether the projector is paused, before it takes its first event here.
	 * After that, the switch follows by itself.
	 */
	private void look() {
		if (!this.looked) {
			this.pause.look();
			this.looked = true;
		}
	}

	private boolean isHeldUp() {
		return this.pause.isPaused() || this.failures.isPaused();
	}

	private void makeReady() throws InterruptedException {
		this.tables.require();
		String detail = this.feed.makeReady();
		this.ready = true;
		this.state.is(this.feed.activity(), detail);
	}

	private void feedUntilStopped() throws InterruptedException {
		while (!isStopping()) {
			if (isHeldUp() || this.hold != null || !this.feed.step()) {
				this.feed.close();
				return;
			}
			saveNowAndThen();
			this.worker.beat();
		}
	}

	/**
	 * Saves the position every few seconds. This also detects that NATS or PostgreSQL is
	 * unreachable while there are no events. The feed reads nothing more until both
	 * answer again.
	 */
	private void saveNowAndThen() {
		if (System.nanoTime() - this.savedAt > SAVE_EVERY.toNanos()) {
			this.savedAt = System.nanoTime();
			this.tables.requireLately();
			this.feed.save();
			this.counted = true;
		}
	}

	/**
	 * Saves the position when the projector stops. After a clean stop no event is
	 * unsettled whose handling had begun.
	 */
	public void save(boolean cleanStop) {
		try {
			this.feed.saveAtStop(cleanStop);
		}
		catch (EventingException | DataAccessException | TransactionException ex) {
			logger.debug("The position of projector '{}' is not saved at this stop.", this.projector, ex);
		}
		catch (RuntimeException ex) {
			// the stop continues: events after the saved position come again
			logger.warn("Projector '{}' stops without saving its position.", this.projector, ex);
		}
	}

	private boolean isStopping() {
		return this.stopping.getCount() == 0;
	}

	/**
	 * Reasons that keep an intake from taking events.
	 *
	 * @param pause whether an operator has paused the projector
	 * @param failures whether it is paused because all events fail
	 * @param tables asked before the feed is made ready, and every few seconds
	 */
	public record Holds(PauseSwitch pause, RepeatedFailures failures, TableGuard tables) {
	}

}
