package dev.eventing.sdk.projector.attempt;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.SupervisedWorker;
import org.jspecify.annotations.Nullable;

/**
 * What one thread of a projector applies now: written by that thread, for any to read.
 * Each call of a handler, and each try of what is tried until it succeeds, begins anew;
 * so a run that lasts is one that does not return.
 */
public final class CurrentRun {

	private volatile @Nullable Step step;

	/** From now on it is at this event, or at several of which this is the first. */
	public void begin(Work first) {
		begin(first::describe);
	}

	/** From now on it is at this, which is asked for its description if it lasts. */
	public void begin(Supplier<String> what) {
		this.step = new Step(what, System.nanoTime());
	}

	/** It tries the same once more. */
	public void again() {
		Step current = this.step;
		if (current != null) {
			begin(current.what());
		}
	}

	/** It waits for something to do. */
	public void end() {
		this.step = null;
	}

	/** That this worker has been at it for longer than this, or null if it has not. */
	public @Nullable Stall stall(SupervisedWorker worker, Duration longest) {
		Step current = this.step;
		long lasts = (current != null) ? System.nanoTime() - current.since() : 0;
		return (current != null && lasts > longest.toNanos())
				? new Stall(worker.name(), "it is at " + current.what().get(),
						Duration.ofSeconds(TimeUnit.NANOSECONDS.toSeconds(lasts)), worker.stack())
				: null;
	}

	private record Step(Supplier<String> what, long since) {
	}

}
