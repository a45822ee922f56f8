package dev.eventing.sdk.projector.feed;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.eventing.sdk.idempotency.PrunedHistoryException;
import dev.eventing.sdk.nats.DurableGoneException;
import dev.eventing.sdk.nats.JetStreamConfigurationException;
import dev.eventing.sdk.nats.NatsUnavailableException;
import dev.eventing.sdk.projector.PassedOverException;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import dev.eventing.sdk.store.LogSetBackException;
import dev.eventing.sdk.store.UnsafePositionsException;
import dev.eventing.sdk.worker.SupervisedWorker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.TransactionException;

/**
 * Feeds a projector's lanes, and outlives every outage: it tries again until it is
 * stopped. Also says what the projector is doing.
 */
public final class Intake {

	private static final Logger logger = LoggerFactory.getLogger(Intake.class);

	private static final Duration SAVE_EVERY = Duration.ofSeconds(5);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

	private final String projector;

	private final Feed feed;

	private final CountDownLatch stopping;

	private final AtomicBoolean paused;

	private final CurrentState state;

	private final SupervisedWorker worker;

	private long savedAt = System.nanoTime();

	/**
	 * Feeds from this.
	 * @param stopping counted down when it is to stop
	 * @param paused whether to take in nothing for now
	 */
	public Intake(String projector, Feed feed, CountDownLatch stopping, AtomicBoolean paused) {
		this.projector = projector;
		this.state = new CurrentState(projector);
		this.feed = feed;
		this.stopping = stopping;
		this.paused = paused;
		// Virtual lanes are daemons: this thread keeps the JVM of a projector alive.
		this.worker = SupervisedWorker.of(projector + "-intake", this::run);
	}

	public SupervisedWorker worker() {
		return this.worker;
	}

	public CurrentState.Entry state() {
		return this.paused.get() ? CurrentState.Entry.of(ProjectorState.PAUSED, "paused") : this.state.get();
	}

	/** How many events had not been read when the last one was. */
	public long pending() {
		return this.feed.pending();
	}

	/** Stops feeding; its thread ends soon after. */
	public void stop() {
		this.stopping.countDown();
		this.worker.requestStop();
	}

	/**
	 * Makes the feed ready once before the thread runs, so that a mistake in
	 * configuration fails the start of the application. What is only away at this moment
	 * is waited for later.
	 * @throws JetStreamConfigurationException if a person must change something
	 * @throws IllegalTransactionStateException if transactions cannot be as they must be
	 */
	public void prepare() throws InterruptedException {
		try {
			makeReady();
		}
		catch (IllegalTransactionStateException ex) {
			throw ex;
		}
		catch (NatsUnavailableException | DataAccessException | TransactionException ex) {
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
				if (this.stopping.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
					break;
				}
			}
		}
		finally {
			this.feed.close();
		}
		this.state.is(ProjectorState.STOPPED, "stopped");
	}

	/** Feeds until something is in the way; returns whether anything was fed. */
	private boolean feed() throws InterruptedException {
		if (this.paused.get()) {
			this.worker.beat();
			return false;
		}
		long before = this.feed.arrived();
		try {
			makeReady();
			feedUntilStopped();
		}
		catch (DurableGoneException ex) {
			logger.warn("Projector '{}': {} It is reconciled.", this.projector, ex.getMessage());
			this.feed.close();
		}
		catch (JetStreamConfigurationException | UnsafePositionsException | LogSetBackException | PrunedHistoryException
				| PassedOverException ex) {
			this.state.failed(String.valueOf(ex.getMessage()));
			this.feed.close();
		}
		catch (NatsUnavailableException | DataAccessException | TransactionException ex) {
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

	private void makeReady() throws InterruptedException {
		this.state.is(ProjectorState.RUNNING, this.feed.makeReady());
	}

	private void feedUntilStopped() throws InterruptedException {
		while (!isStopping()) {
			if (this.paused.get() || !this.feed.step()) {
				this.feed.close();
				return;
			}
			saveNowAndThen();
			this.worker.beat();
		}
	}

	/**
	 * Saves the position, and so also notices that NATS or PostgreSQL is away while there
	 * is nothing to do: no more is read until both are back.
	 */
	private void saveNowAndThen() {
		if (System.nanoTime() - this.savedAt > SAVE_EVERY.toNanos()) {
			this.savedAt = System.nanoTime();
			this.feed.save();
		}
	}

	/**
	 * Saves where the projector stands when it stops; a clean stop says that nothing
	 * unsettled was begun.
	 */
	public void save(boolean cleanStop) {
		try {
			this.feed.saveAtStop(cleanStop);
		}
		catch (NatsUnavailableException | JetStreamConfigurationException | DataAccessException | TransactionException
				| OwnershipLostException ex) {
			logger.debug("Position of projector '{}' is not saved now.", this.projector, ex);
		}
		catch (RuntimeException ex) { // a stop goes on: what is not saved comes again
			logger.warn("Projector '{}' stops without saving its position.", this.projector, ex);
		}
	}

	private boolean isStopping() {
		return this.stopping.getCount() == 0;
	}

}
