package dev.eventing.sdk.projector.pruning;

import java.time.Duration;
import java.util.List;

import dev.eventing.sdk.event.DurationText;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.jdbc.DatabaseFailure;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.Pruner;
import dev.eventing.sdk.projector.PruningOptions;
import dev.eventing.sdk.projector.PruningStatus;
import dev.eventing.sdk.worker.SupervisedWorker;
import dev.eventing.sdk.worker.SweepingWorker;
import dev.eventing.sdk.worker.WorkerFailure;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Prunes on a separate thread. Thread-safe. */
public final class PruningWorker extends SweepingWorker implements Pruner {

	private static final Logger logger = LoggerFactory.getLogger(PruningWorker.class);

	/**
	 * The first pass does not run at once, to leave the start of the application
	 * undisturbed.
	 */
	private static final Duration FIRST_PASS_WITHIN = Duration.ofMinutes(1);

	private final PruningOptions options;

	private final PruningPass pass;

	/** Why the last pass failed; null if it did not. */
	private volatile @Nullable String failure;

	/**
	 * Sends no request yet.
	 * @param registry the projectors whose rows are pruned
	 * @param services the services that they share
	 * @param options which rows are pruned, and the time between passes
	 */
	public PruningWorker(ProjectorRegistry registry, ProjectorServices services, PruningOptions options) {
		super("eventing-pruner");
		this.options = options;
		this.pass = new PruningPass(registry, services, options.retention());
	}

	@Override
	public List<PruningStatus> status() {
		return this.pass.status();
	}

	@Override
	public PruningStatus status(String projector) {
		return ProjectorId.find(projector)
			.map(this.pass::status)
			.orElseGet(() -> new PruningStatus(projector, 0, null));
	}

	@Override
	public @Nullable String lastFailure() {
		WorkerFailure ended = failure();
		String last = this.failure;
		return (ended != null) ? ended.describe() : (last != null) ? last : this.pass.failure();
	}

	/** Does nothing if pruning is disabled. */
	@Override
	public void start() {
		if (this.options.enabled()) {
			super.start();
		}
	}

	@Override
	protected Duration firstPause() {
		Duration every = this.options.every();
		return (every.compareTo(FIRST_PASS_WITHIN) < 0) ? every : FIRST_PASS_WITHIN;
	}

	@Override
	protected Duration sweep(SupervisedWorker thread) throws InterruptedException {
		try {
			this.pass.run(thread);
			this.failure = null;
		}
		catch (RuntimeException ex) {
			if (this.failure == null) {
				logger.warn("Pruning of processed events has stopped: {}. It is tried again in {}.",
						DatabaseFailure.describe(ex), DurationText.of(this.options.every()));
			}
			this.failure = DatabaseFailure.describe(ex);
			logger.debug("What stopped it.", ex);
		}
		return this.options.every();
	}

	@Override
	protected void ended(boolean stopping) {
		this.pass.giveUp();
	}

}
