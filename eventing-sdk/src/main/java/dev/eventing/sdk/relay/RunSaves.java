package dev.eventing.sdk.relay;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.relay.JdbcRelayPositions.Passed;
import dev.eventing.sdk.relay.RelayCheckpoint.Step;
import org.jspecify.annotations.Nullable;

/**
 * When and where a run saves its position: on another thread, or on the relay's own
 * together with refusals. All methods but {@link #stack} are for the relay's thread.
 */
final class RunSaves implements AutoCloseable {

	static final long EVERY = TimeUnit.MILLISECONDS.toNanos(50);

	/**
	 * While a save takes longer than this, no further events are taken, so that a crash
	 * leaves little to compare. Before the first save of a run has succeeded, none are
	 * taken while it runs: if saves fail again and again, each run adds one window.
	 */
	private static final long LONGEST = TimeUnit.SECONDS.toNanos(1);

	private final RelayCheckpoint checkpoint;

	private final StoppedStreams stopped;

	private final PositionSaver saver;

	/** What the running save writes; null if none runs. */
	private @Nullable Step saving;

	/** When the last save began, by {@link System#nanoTime}. */
	private volatile long last = System.nanoTime() - EVERY;

	/** Whether a save has ended in the last turn. */
	private boolean saved;

	/** Whether a save of this run has succeeded. */
	private boolean everSaved;

	RunSaves(String relay, RelayCheckpoint checkpoint, StoppedStreams stopped, WakeUp wakeUp) {
		this.checkpoint = checkpoint;
		this.stopped = stopped;
		this.saver = new PositionSaver(relay, wakeUp);
	}

	void beginTurn() {
		this.saved = false;
	}

	/** Whether a save has ended in this turn. */
	boolean hasSaved() {
		return this.saved;
	}

	/** How long the running save has waited for an answer. For any thread. */
	Duration silentFor() {
		return this.saver.stack().isEmpty() ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - this.last);
	}

	boolean isDue(long now) {
		return now - this.last >= EVERY && !this.saver.isRunning();
	}

	/** Whether no further events are taken until the running save has ended. */
	boolean isLate(long now) {
		return this.saver.isRunning() && (!this.everSaved || now - this.last > LONGEST);
	}

	/** Whether a save has ended whose end was not collected. */
	boolean hasEnded() {
		return this.saver.hasEnded();
	}

	/** Returns whether a save has succeeded. Throws the error of one that failed. */
	boolean collect() throws InterruptedException {
		boolean written = this.saver.collect();
		if (written) {
			written();
		}
		return written;
	}

	/** Waits for the running save. Throws its error if it failed. */
	void await() throws InterruptedException {
		if (this.saver.await()) {
			written();
		}
	}

	void save(long now, long position, @Nullable Passed passed) {
		this.last = now;
		if (this.checkpoint.hasRefusals()) {
			saveAll(position, passed);
		}
		else {
			Step step = this.checkpoint.positionUpTo(position, passed);
			this.saving = step;
			this.saver.start(() -> this.checkpoint.write(step));
		}
	}

	/** Saves the position together with refusals, on this thread. */
	void saveAll(long position, @Nullable Passed passed) {
		this.checkpoint.save(position, passed);
		this.stopped.saved();
		this.saved = true;
		this.everSaved = true;
	}

	/** Records the end of a save on the other thread. */
	private void written() {
		this.checkpoint.written(Objects.requireNonNull(this.saving));
		this.saving = null;
		this.saved = true;
		this.everSaved = true;
	}

	/** The stack trace of the running save, on any thread; empty if none runs. */
	List<StackTraceElement> stack() {
		return this.saver.stack();
	}

	/** Waits for the save that is running. */
	@Override
	public void close() {
		this.saver.close();
	}

}
