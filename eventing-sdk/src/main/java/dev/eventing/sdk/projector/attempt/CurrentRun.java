package dev.eventing.sdk.projector.attempt;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.SupervisedWorker;
import org.jspecify.annotations.Nullable;

/**
 * What one thread of a projector applies now.
 *
 * @param first of the events it was given at once
 * @param since when, by {@link System#nanoTime}
 */
public record CurrentRun(Work first, long since) {

	public static CurrentRun from(Work first) {
		return new CurrentRun(first, System.nanoTime());
	}

	/** That this worker has been at it for longer than this, or null if it has not. */
	public @Nullable Stall stall(SupervisedWorker worker, Duration longest) {
		long lasts = System.nanoTime() - this.since;
		return (lasts > longest.toNanos()) ? new Stall(worker.name(), "it is at " + this.first.describe(),
				Duration.ofSeconds(TimeUnit.NANOSECONDS.toSeconds(lasts)), worker.stack()) : null;
	}

}
