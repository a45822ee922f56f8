package dev.eventing.sdk.projector.failure;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projector.ProjectorOptions;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.RepeatedFailurePolicy;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that the first events since the start all fail for one reason. Then the
 * projector is paused: nothing more becomes a dead letter, and one event at a time is
 * tried again, after growing pauses, until one succeeds. After the first success it only
 * looks on. One instance is for one start. Thread-safe.
 */
public final class RepeatedFailures {

	private static final Logger logger = LoggerFactory.getLogger(RepeatedFailures.class);

	private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

	private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

	/** How often a waiting lane looks whether an operator has resumed the projector. */
	private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

	private final ProjectorId projector;

	/** Of different events; 0 if their number does not matter. */
	private final int limit;

	/** Another object after each resume of an operator. */
	private final Supplier<@Nullable Object> resumed;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Set<EventPlace> failed = new HashSet<>();

	private @Nullable String kind;

	private @Nullable Object resumedBefore;

	/** Tries since the pause began. */
	private int tries;

	/** When the next try is due, by {@link System#nanoTime}. */
	private long nextAt;

	private boolean stopping;

	private volatile boolean succeeded;

	private volatile @Nullable Paused paused;

	/**
	 * Has seen nothing yet.
	 * @param resumed supplies another object after each resume of an operator
	 */
	public RepeatedFailures(ProjectorId projector, ProjectorOptions options, Supplier<@Nullable Object> resumed) {
		this.projector = projector;
		this.limit = (options.get(ProjectorSettings::onRepeatedFailure) == RepeatedFailurePolicy.PAUSE)
				? options.get(ProjectorSettings::repeatedFailures) : 0;
		this.resumed = resumed;
	}

	/** An event was applied. */
	public void succeeded() {
		if (!this.succeeded) {
			this.lock.lock();
			try {
				this.succeeded = true;
				goOn("an event was applied");
			}
			finally {
				this.lock.unlock();
			}
		}
	}

	/**
	 * An event failed.
	 * @param kind the same text for the same reason
	 * @param why the reason, for operators
	 * @return how long it is to wait, without being counted; null if it is to be decided
	 * about
	 */
	public @Nullable Duration failed(EventPlace event, String kind, Supplier<String> why) {
		if (this.limit == 0 || this.succeeded) {
			return null;
		}
		this.lock.lock();
		try {
			if (isPaused()) {
				return untilLater();
			}
			if (!kind.equals(this.kind)) {
				this.failed.clear();
				this.kind = kind;
			}
			this.failed.add(event);
			if (this.failed.size() < this.limit) {
				return null;
			}
			pause(why.get());
			return untilLater();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void pause(String why) {
		this.resumedBefore = this.resumed.get();
		this.tries = 0;
		this.nextAt = System.nanoTime() + interval().toNanos();
		this.paused = new Paused(Clock.systemUTC().instant(), this.limit, why);
		logger
			.error("Projector '{}' is paused: its first {} events failed for one reason: {}. No more of them become dead letters."
					+ " It tries one again from time to time, and goes on once one succeeds. Consider correcting the cause,"
					+ " then 'eventing projector resume {}' or a restart; or on-repeated-failure=dead-letter.",
					this.projector, this.limit, why, this.projector);
	}

	/** Others are tried before it. */
	private Duration untilLater() {
		return Duration.ofNanos(Math.max(0, this.nextAt - System.nanoTime())).plus(interval());
	}

	private Duration interval() {
		Duration interval = FIRST_PAUSE.multipliedBy(1L << Math.min(this.tries, 10));
		return (interval.compareTo(LONGEST_PAUSE) < 0) ? interval : LONGEST_PAUSE;
	}

	/** Whether no events are to be taken. */
	public boolean isPaused() {
		return current() != null;
	}

	/** The pause, or null. */
	public @Nullable Paused current() {
		Paused current = this.paused;
		if (current == null || Objects.equals(this.resumed.get(), this.resumedBefore)) {
			return current;
		}
		this.lock.lock();
		try {
			goOn("an operator resumed it");
			return null;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void goOn(String why) {
		if (this.paused != null) {
			logger.info("Projector '{}' goes on after its pause by failures: {}.", this.projector, why);
		}
		this.paused = null;
		this.failed.clear();
		this.changed.signalAll();
	}

	/** Waits while the projector is paused, until an event may be tried again. */
	public Turn awaitTurn() throws InterruptedException {
		if (this.paused == null) {
			return Turn.ALL;
		}
		this.lock.lockInterruptibly();
		try {
			while (isPaused()) {
				long left = this.nextAt - System.nanoTime();
				if (this.stopping) {
					return Turn.NONE;
				}
				if (left <= 0) {
					this.tries++;
					this.nextAt = System.nanoTime() + interval().toNanos();
					return Turn.ONE;
				}
				this.changed.awaitNanos(Math.min(left, LOOK_NANOS));
			}
			return Turn.ALL;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** No event is tried any more while the projector is paused. */
	public void stop() {
		this.lock.lock();
		try {
			this.stopping = true;
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** How many events may run now. */
	public enum Turn {

		/** The projector is not paused. */
		ALL,

		/** To try whether it succeeds now. */
		ONE,

		/** The projector stops. */
		NONE

	}

	/**
	 * A pause.
	 *
	 * @param since when it began
	 * @param events how many events had failed
	 * @param why the reason
	 */
	public record Paused(Instant since, int events, String why) {

		/** For operators. */
		public String describe() {
			return "its first " + this.events + " events failed for one reason: " + this.why
					+ "; it tries one again from time to time";
		}

	}

}
