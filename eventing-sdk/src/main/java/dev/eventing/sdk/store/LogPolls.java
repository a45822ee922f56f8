package dev.eventing.sdk.store;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The waits of one reader of the log between two looks. After events it looks again soon,
 * then less and less often. If a signal announced the events, signals probably announce
 * the next ones too, and a few looks are enough for events that they miss. If a look
 * found events without a signal, such as those of another process without {@code NOTIFY},
 * the next looks follow quickly. At a hole, looks always follow quickly. For one thread.
 */
public final class LogPolls {

	private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(1);

	private static final long SHORTEST_WITH_SIGNALS = TimeUnit.MILLISECONDS.toNanos(16);

	private final AppendSignal signal;

	private final long longest;

	private long pause = SHORTEST;

	/** The signals before the last look. */
	private long seen;

	/** The signals before the last look that found events. */
	private long seenAtFind;

	/** Whether a signal announced the events that were found last. */
	private boolean announced;

	private boolean blocked;

	/**
	 * Sets the longest wait.
	 * @param longest at least 1 ms
	 */
	public LogPolls(AppendSignal signal, Duration longest) {
		this.signal = signal;
		this.longest = longest.toNanos();
		this.seen = signal.count();
		this.seenAtFind = this.seen;
	}

	/** To be called right before each look. */
	public void look() {
		this.seen = this.signal.count();
	}

	/** The look found events. */
	public void found() {
		this.announced = this.seen != this.seenAtFind;
		this.seenAtFind = this.seen;
		this.blocked = false;
		this.pause = this.announced ? SHORTEST_WITH_SIGNALS : SHORTEST;
	}

	/**
	 * Whether another look would find nothing, as far as signals show: the last look saw
	 * the end of the log, and no signal came since.
	 * @param atEnd whether the last look saw the end of the log
	 */
	public boolean isInVain(boolean atEnd) {
		return atEnd && this.announced && this.signal.count() == this.seen;
	}

	/**
	 * Waits for a signal since the last look, or until it is time for another look.
	 * @param atHole whether the reader waits at a hole, which most signals do not fill
	 * @return whether there was a signal, and no hole
	 */
	public boolean await(boolean atHole) throws InterruptedException {
		Duration wait = nextWait(atHole);
		if (atHole) {
			this.signal.awaitAtHole(this.seen, wait);
			return false;
		}
		return this.signal.await(this.seen, wait);
	}

	/** The longest time of the next wait. The one after it is longer. */
	Duration nextWait(boolean atHole) {
		if (atHole && !this.blocked) {
			this.pause = SHORTEST;
		}
		this.blocked = atHole;
		Duration wait = Duration.ofNanos(Math.min(this.pause, this.longest));
		this.pause = Math.min(this.longest, 2 * this.pause);
		return wait;
	}

}
