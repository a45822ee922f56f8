package dev.eventing.sdk.worker;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A part of the application that sweeps from its start to its stop: on a daemon thread it
 * does something, pauses, and does it again. If a sweep throws, this is logged and shown
 * as {@link #failure()}, and the sweeps begin again; see {@link SupervisedWorker}.
 * Thread-safe.
 */
public abstract class SweepingWorker implements RunningPart, Watched, AutoCloseable {

	private final SupervisedWorker worker;

	/** A start waits for the stop that is under way. */
	private final Object startsAndStops = new Object();

	/**
	 * Does not start the thread yet.
	 * @param name the thread's name
	 */
	protected SweepingWorker(String name) {
		this.worker = SupervisedWorker.daemon(name, this::run);
	}

	/** How long the thread waits before its first sweep. */
	protected abstract Duration firstPause();

	/**
	 * Sweeps once, on the thread.
	 * @param thread tells whether to stop; a sweep that lasts signals progress to it
	 * @return the pause until the next sweep
	 */
	protected abstract Duration sweep(SupervisedWorker thread) throws InterruptedException;

	/**
	 * Lets go of what the sweeps hold. Called on the thread, at a stop and when the
	 * sweeps begin again after a failure.
	 * @param stopping whether it is a stop
	 */
	protected abstract void ended(boolean stopping);

	/** Called at a stop when the thread has ended, or is waited for no longer. */
	protected void stopped() {
	}

	private void run() throws InterruptedException {
		Duration pause = firstPause();
		try {
			while (!this.worker.awaitStop(pause)) {
				pause = sweep(this.worker);
				this.worker.beat();
			}
		}
		finally {
			ended(this.worker.isStopping());
		}
	}

	/** Why it does not sweep now; null while it does, and after a stop. */
	protected final @Nullable WorkerFailure failure() {
		return this.worker.failure();
	}

	@Override
	public List<Stall> stalls(Duration longest) {
		return this.worker.stalls(longest);
	}

	@Override
	public void start() {
		synchronized (this.startsAndStops) {
			this.worker.start();
		}
	}

	/** Waits for the sweep under way, some seconds at most. */
	@Override
	public final void stop() {
		synchronized (this.startsAndStops) {
			this.worker.stop();
			stopped();
		}
	}

	@Override
	public final boolean isRunning() {
		return this.worker.isRunning();
	}

	@Override
	public final void close() {
		stop();
	}

}
