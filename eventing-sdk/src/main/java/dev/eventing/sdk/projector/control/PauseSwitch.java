package dev.eventing.sdk.projector.control;

import java.time.Instant;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projection.ProjectionRequest.Action;
import dev.eventing.sdk.projection.ledger.ControlLedger;
import dev.eventing.sdk.projection.ledger.ControlLedger.Ceiling;
import dev.eventing.sdk.projection.ledger.Pause;
import dev.eventing.sdk.worker.SupervisedWorker;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a projector is paused, and whether something is requested for it, as this node
 * knows it. The database decides. Answers may arrive in another order than they were
 * given: each has a number, and an older one changes nothing. Thread-safe.
 */
public final class PauseSwitch {

	private static final Logger logger = LoggerFactory.getLogger(PauseSwitch.class);

	private final ProjectorId projector;

	private final ControlLedger ledger;

	/** Numbers answers; see {@link #set}. */
	private final AtomicLong numbers;

	/** Those that follow changes. */
	private final Set<PauseSwitch> open;

	private final SupervisedWorker worker;

	private volatile @Nullable Pause pause;

	/** When an operator resumed it last, as far as is known; or null. */
	private volatile @Nullable Instant resumedAt;

	/** The requested action, as of the last look; null if there is none. */
	private volatile @Nullable Action requested;

	/** Where the live generation is to be held for a switch, or null. */
	private volatile @Nullable Long holdAt;

	/** How far it may read for now, or null. */
	private volatile @Nullable Limit limit;

	/** Called at each look at which something is requested of the owner. */
	private volatile Runnable onRequest = () -> {
	};

	/** The number of the answer that is known. */
	private long asOf;

	PauseSwitch(ProjectorId projector, ControlLedger ledger, AtomicLong numbers, Set<PauseSwitch> open,
			SupervisedWorker worker) {
		this.projector = projector;
		this.ledger = ledger;
		this.numbers = numbers;
		this.open = open;
		this.worker = worker;
	}

	ProjectorId projector() {
		return this.projector;
	}

	/** The pause, or null. Sends no request. */
	public @Nullable Pause current() {
		return this.pause;
	}

	/**
	 * Another time after each resume of an operator, as of the last look; also after one
	 * that found no pause of an operator. Sends no request.
	 */
	public @Nullable Instant resumedAt() {
		return this.resumedAt;
	}

	void resumed(@Nullable Instant at) {
		if (at != null) {
			this.resumedAt = at;
		}
	}

	/** Whether the projector is paused. Sends no request. */
	public boolean isPaused() {
		return this.pause != null;
	}

	/** The requested action at the last look, or null. Sends no request. */
	public @Nullable Action requested() {
		return this.requested;
	}

	/**
	 * Whether the live generation was to be held for a switch at the last look. Sends no
	 * request.
	 */
	public boolean isHeld() {
		return this.holdAt != null;
	}

	/**
	 * The position up to which the event store may be read now: while generations are
	 * compared. That ends at its time also during an outage, and at once when something
	 * is requested. Sends no request.
	 */
	public long readsUpTo() {
		Limit current = this.limit;
		boolean limited = current != null && this.requested == null && System.nanoTime() - current.end() < 0;
		return (current != null && limited) ? current.position() : Long.MAX_VALUE;
	}

	/**
	 * Sets a listener that is called at each look at which something is requested of the
	 * owner. It must return at once.
	 */
	public void onRequest(Runnable listener) {
		this.onRequest = listener;
	}

	void requested(@Nullable Action action, @Nullable Long hold) {
		this.requested = action;
		this.holdAt = hold;
		if ((action != null && action.needsRest()) || hold != null) {
			this.onRequest.run();
		}
	}

	void limited(@Nullable Ceiling ceiling) {
		this.limit = (ceiling != null) ? new Limit(ceiling.position(), System.nanoTime() + ceiling.time().toNanos())
				: null;
	}

	/** The thread that looks once a second. */
	public SupervisedWorker worker() {
		return this.worker;
	}

	/** Follows changes from now on. */
	public void open() {
		this.open.add(this);
		this.worker.start();
	}

	/** Follows no more changes. The last state stays. */
	public void close() {
		this.open.remove(this);
	}

	/**
	 * Asks the database now, on the caller's thread.
	 * @throws org.springframework.dao.DataAccessException if it does not answer
	 */
	public void look() {
		long number = this.numbers.incrementAndGet();
		set(this.ledger.pause(this.projector.base()).orElse(null), number);
	}

	/**
	 * Pauses the projector on all nodes; on this one at once.
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	public void pause(String actor, String reason) {
		this.ledger.pause(this.projector.base(), actor, reason);
		look();
	}

	/**
	 * Ends the pause on all nodes; on this one at once.
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	public void resume(String actor, @Nullable String reason) {
		this.ledger.resume(this.projector.base(), actor, reason);
		look();
	}

	/**
	 * Takes an answer.
	 * @param answer the pause, or null
	 * @param number from before the question was sent, or from after a change was
	 * committed
	 */
	synchronized void set(@Nullable Pause answer, long number) {
		if (number < this.asOf) {
			return;
		}
		this.asOf = number;
		boolean before = isPaused();
		this.pause = answer;
		if (answer != null && !before) {
			logger.info("Projector '{}' is {}. It takes no events until it is resumed.", this.projector,
					answer.describe());
		}
		else if (answer == null && before) {
			logger.info("Projector '{}' is not paused any more.", this.projector);
		}
	}

	/**
	 * How far it may read.
	 *
	 * @param position up to here
	 * @param end until then, by {@link System#nanoTime}
	 */
	private record Limit(long position, long end) {
	}

}
