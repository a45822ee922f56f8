package dev.eventing.sdk.projector.attempt;

import java.util.List;
import java.util.function.BooleanSupplier;

import dev.eventing.sdk.projector.delivery.Work;
import org.jspecify.annotations.Nullable;

/**
 * Runs batches in parts, each in one transaction, in order. A part that fails runs again
 * in smaller parts, until the event is found that fails alone; only that one has failed.
 * Lanes and redrives differ in the {@link Steps}. For one thread.
 */
public final class BatchRun {

	private final Steps steps;

	private final Pace pace;

	/**
	 * A run of batches.
	 * @param most the most events in one transaction
	 * @param steps what is done with a part
	 */
	public BatchRun(int most, Steps steps) {
		this.pace = new Pace(most);
		this.steps = steps;
	}

	/**
	 * Runs a batch to its end, or until it is to stop.
	 * @param batch events in order
	 * @param stopping whether to stop; asked between transactions
	 * @throws InterruptedException if the thread is to stop
	 */
	public void run(List<Work> batch, BooleanSupplier stopping) throws InterruptedException {
		BatchSplitter parts = new BatchSplitter(batch);
		while (!parts.isEmpty() && !stopping.getAsBoolean()) {
			List<Work> part = this.steps.runnable(parts.next(this.pace.size()), parts);
			if (!part.isEmpty()) {
				run(part, parts);
			}
		}
	}

	private void run(List<Work> part, BatchSplitter parts) throws InterruptedException {
		Throwable failure = this.steps.attempt(part);
		if (failure == null) {
			this.pace.succeeded(part.size());
		}
		else if (part.size() == 1) {
			this.steps.failed(part.get(0), failure);
		}
		else {
			this.pace.failed(part, failure);
			parts.putFirst(part, failure);
		}
	}

	/** What is done with a part of a batch. */
	public interface Steps {

		/**
		 * The events of the part that a handler can be given now, in order. The others
		 * are settled, or put first again.
		 * @param part what comes next
		 * @param parts what comes after it
		 */
		List<Work> runnable(List<Work> part, BatchSplitter parts) throws InterruptedException;

		/** Applies a part in one transaction; returns why that failed, or null. */
		@Nullable Throwable attempt(List<Work> part) throws InterruptedException;

		/** Decides about an event that failed alone. */
		void failed(Work work, Throwable failure) throws InterruptedException;

	}

}
