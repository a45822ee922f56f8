package dev.eventing.sdk.projector.container;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import dev.eventing.sdk.event.DurationText;
import dev.eventing.sdk.jdbc.OpenTransactions;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.attempt.TransientFailures;
import dev.eventing.sdk.projector.delivery.InFlight;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.failure.RepeatedFailures;
import dev.eventing.sdk.projector.feed.Intake;
import dev.eventing.sdk.projector.lane.Lanes;
import dev.eventing.sdk.projector.redrive.RedriveLoop;
import dev.eventing.sdk.projector.transaction.ProjectorLease;
import dev.eventing.sdk.worker.OneShot;
import dev.eventing.sdk.worker.SupervisedWorker;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops a running projector in the order that loses nothing: the intake, the helpers, the
 * lanes and redrives. Then gives back the events that are left.
 */
final class RunStop {

	private static final Logger logger = LoggerFactory.getLogger(RunStop.class);

	/**
	 * How long a stop waits for threads that it interrupted. Then it leaves them alone.
	 */
	private static final Duration ABANDON_WAIT = Duration.ofSeconds(2);

	private final ProjectorEndpoint endpoint;

	private final ProjectorLease lease;

	private final Runnable endSignals;

	private final OpenTransactions open;

	private final CountDownLatch abandon;

	private final InFlight inFlight;

	private final TransientFailures transientFailures;

	private final RepeatedFailures repeated;

	private final Lanes lanes;

	private final Intake intake;

	private final List<SupervisedWorker> helpers;

	private final RedriveLoop redriveLoop;

	private volatile boolean underWay;

	/**
	 * Stops these parts.
	 * @param endSignals ends the in-progress signals of deliveries in flight
	 */
	RunStop(ProjectorEndpoint endpoint, ProjectorAssembly parts, ProjectorLease lease, Runnable endSignals) {
		this.endpoint = endpoint;
		this.lease = lease;
		this.endSignals = endSignals;
		this.open = parts.open();
		this.abandon = parts.abandon();
		this.inFlight = parts.inFlight();
		this.transientFailures = parts.transientFailures();
		this.repeated = parts.repeated();
		this.lanes = parts.lanes();
		this.intake = parts.intake();
		this.helpers = parts.helpers();
		this.redriveLoop = parts.redriveLoop();
	}

	/** Whether it has begun. */
	boolean isUnderWay() {
		return this.underWay;
	}

	/**
	 * Stops cleanly if possible: takes no more events, runs what the lanes hold within
	 * the time, naks what they have not begun, and saves the position.
	 * @return the place up to which all events are settled, and no later one is; null if
	 * that is not so or not known
	 */
	@Nullable Long cleanly(Duration drain) throws InterruptedException {
		this.underWay = true;
		this.repeated.stop();
		this.intake.stop();
		this.redriveLoop.requestStop();
		long end = System.nanoTime() + drain.toNanos();
		endIntake(drain.dividedBy(2));
		this.helpers.forEach(SupervisedWorker::requestStop);
		for (SupervisedWorker helper : this.helpers) {
			helper.join(left(end));
		}
		boolean drained = endLanes(drain, end);
		boolean hasRead = endOfIntake();
		this.endSignals.run();
		Long settledTo = (drained && hasRead) ? this.intake.settledTo() : null;
		this.lanes.drain().forEach(this::nak);
		if (hasRead) {
			save(drained && this.inFlight.size() == 0, left(end).plus(ABANDON_WAIT));
		}
		return settledTo;
	}

	/** Returns false if a handler still runs. */
	private boolean endLanes(Duration drain, long end) throws InterruptedException {
		this.lanes.close();
		if (this.transientFailures.current() != null || !this.lease.isCurrent()) {
			this.abandon.countDown();
			this.redriveLoop.worker().interrupt(); // it may wait for a connection
		}
		boolean drained = join(left(end));
		this.abandon.countDown();
		if (!drained) {
			logger.warn(
					"Projector '{}' still runs a handler after {}. It is interrupted, and its event runs again later.",
					this.endpoint.name(), DurationText.of(drain));
			this.lanes.interrupt();
			this.redriveLoop.worker().interrupt();
			this.open.abort();
			drained = join(ABANDON_WAIT);
			this.lanes.takeBackAttempts();
		}
		return drained;
	}

	/** Returns false if the intake still runs. */
	private boolean endOfIntake() throws InterruptedException {
		if (this.intake.worker().join(Duration.ZERO)) {
			return true;
		}
		this.open.abort(); // the lanes have ended: open transactions are the intake's
		return this.intake.worker().join(ABANDON_WAIT);
	}

	/**
	 * Stops because another node may own the projector, or the start failed. Open
	 * transactions cannot commit any more. Sends nothing that would affect another owner.
	 */
	void atOnce() throws InterruptedException {
		this.underWay = true;
		this.repeated.stop();
		this.endSignals.run();
		this.intake.stop();
		this.redriveLoop.requestStop();
		this.lanes.drain().forEach(this.inFlight::remove);
		this.lanes.close();
		this.abandon.countDown();
		this.redriveLoop.worker().interrupt();
		this.lanes.interrupt();
		this.helpers.forEach(SupervisedWorker::requestStop);
		this.open.abort();
		if (!join(ABANDON_WAIT)) {
			logger.warn("Projector '{}' still runs a handler. Its changes cannot be committed any more.",
					this.endpoint.name());
		}
		this.intake.worker().join(ABANDON_WAIT);
		this.lanes.drain().forEach(this.inFlight::remove);
	}

	/** The intake may wait for a connection, as long as the pool allows. */
	private void endIntake(Duration wait) throws InterruptedException {
		if (!this.intake.worker().join(wait)) {
			this.intake.worker().interrupt();
			this.intake.worker().join(ABANDON_WAIT);
		}
	}

	/**
	 * Saves on a separate thread, so that the stop does not wait long for the database.
	 */
	private void save(boolean cleanStop, Duration wait) throws InterruptedException {
		OneShot saving = OneShot.daemon(this.endpoint.id().thread("save"), () -> this.intake.save(cleanStop));
		if (!saving.runWithin(wait)) {
			logger.warn("Projector '{}' stops without saving its position: the database does not answer.",
					this.endpoint.name());
			this.open.abort();
		}
	}

	private static Duration left(long end) {
		return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
	}

	private boolean join(Duration wait) throws InterruptedException {
		long end = System.nanoTime() + wait.toNanos();
		boolean ended = this.lanes.join(wait);
		return this.redriveLoop.worker().join(left(end)) && ended;
	}

	private void nak(Work work) {
		work.settler().nak();
		this.inFlight.remove(work);
	}

}
