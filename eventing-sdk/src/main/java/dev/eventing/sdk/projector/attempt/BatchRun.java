package dev.eventing.sdk.projector.attempt;

import java.util.List;
import java.util.function.BooleanSupplier;

import dev.eventing.sdk.projector.ProjectorOptions;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.delivery.Work;
import org.jspecify.annotations.Nullable;

/**
 * Runs batches in parts, in order, each part in one transaction. A part that fails runs
 * again in smaller parts, until one event fails alone. Only that event counts as failed.
 * Lanes and redrives have different {@link Steps}. For one thread.
 */
public final class BatchRun {

	private final Steps steps;

	private final Pace pace;

	private final boolean byTenant;

	/**
	 * Sets the steps and the size of a part.
	 * @param options the most events in one transaction, and whether they may have
	 * several tenants
	 * @param steps the steps for each part
	 */
	public BatchRun(ProjectorOptions options, Steps steps) {
		this.pace = new Pace(options.get(ProjectorSettings::batchSize));
		this.byTenant = options.hasOneTenant();
		this.steps = steps;
	}

	/**
	 * Runs a batch to its end, or until it must stop.
	 * @param batch events in order
	 * @param stopping whether to stop; asked between transactions
	 * @throws InterruptedException if the thread must stop
	 */
	public void run(List<Work> batch, BooleanSupplier stopping) throws InterruptedException {
		BatchSplitter parts = new BatchSplitter(batch, this.byTenant);
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

	/** The steps for a part of a batch. */
	public interface Steps {

		/**
		 * Returns the events of the part that can be passed to handlers now, in order.
		 * The others are settled, held, or put first again.
		 * @param part the next events
		 * @param parts the rest of the batch
		 */
		List<Work> runnable(List<Work> part, BatchSplitter parts) throws InterruptedException;

		/**
		 * Applies a part in one transaction. Returns the failure, or null if it
		 * succeeded.
		 */
		@Nullable Throwable attempt(List<Work> part) throws InterruptedException;

		/** Decides about an event that failed alone. */
		void failed(Work work, Throwable failure) throws InterruptedException;

	}

}
