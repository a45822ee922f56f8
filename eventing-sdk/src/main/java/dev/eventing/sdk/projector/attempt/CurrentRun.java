package dev.eventing.sdk.projector.attempt;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import dev.eventing.sdk.projector.delivery.RoutedEvent;
import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.SupervisedWorker;
import org.jspecify.annotations.Nullable;

/**
 * What one thread of a projector runs now. That thread writes it, and any thread can read
 * it. Each call of a handler and each repetition of an action begins a new run. So a long
 * run is a call that does not return.
 */
public final class CurrentRun {

	private volatile @Nullable Step step;

	/** Begins an event, or several events of which this is the first. */
	public void begin(RoutedEvent first) {
		begin(first::describe);
	}

	/**
	 * Begins something.
	 * @param what describes it; called by other threads, and only if it lasts long
	 */
	public void begin(Supplier<String> what) {
		this.step = new Step(what, System.nanoTime());
	}

	/** Begins the same again. */
	public void again() {
		Step current = this.step;
		if (current != null) {
			begin(current.what());
		}
	}

	/** Whether something is begun and not ended. For any thread. */
	public boolean isUnderWay() {
		return this.step != null;
	}

	/** Ends it: the thread waits for work. */
	public void end() {
		this.step = null;
	}

	/**
	 * Returns a stall if the current run lasts longer than this, otherwise null. For any
	 * thread.
	 */
	public @Nullable Stall stall(SupervisedWorker worker, Duration longest) {
		Step current = this.step;
		long lasts = (current != null) ? System.nanoTime() - current.since() : 0;
		return (current != null && lasts > longest.toNanos())
				? new Stall(worker.name(), "it is running " + current.what().get(),
						Duration.ofSeconds(TimeUnit.NANOSECONDS.toSeconds(lasts)), worker.stack())
				: null;
	}

	private record Step(Supplier<String> what, long since) {
	}

}
