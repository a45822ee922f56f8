package dev.eventing.sdk.projector.pruning;

import java.time.Duration;
import java.util.List;

import dev.eventing.sdk.jdbc.DatabaseFailure;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.Pruner;
import dev.eventing.sdk.projector.PruningOptions;
import dev.eventing.sdk.projector.PruningStatus;
import dev.eventing.sdk.worker.ApplicationPhase;
import dev.eventing.sdk.worker.SupervisedWorker;
import dev.eventing.sdk.worker.WorkerFailure;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Prunes on a separate thread. Thread-safe. */
public final class PruningWorker implements Pruner, AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(PruningWorker.class);

	/**
	 * The first pass does not run at once, to leave the start of the application
	 * undisturbed.
	 */
	private static final Duration FIRST_PASS_WITHIN = Duration.ofMinutes(1);

	private final PruningOptions options;

	private final PruningPass pass;

	private final SupervisedWorker worker = SupervisedWorker.daemon("eventing-pruner", this::run);

	private final ApplicationPhase phase = new ApplicationPhase("eventing-pruner");

	/** Why the last pass failed; null if it did not. */
	private volatile @Nullable String failure;

	/**
	 * Sends no request yet.
	 * @param registry the projectors whose rows are pruned
	 * @param services the services that they share
	 * @param options which rows are pruned, and the time between passes
	 */
	public PruningWorker(ProjectorRegistry registry, ProjectorServices services, PruningOptions options) {
		this.options = options;
		this.pass = new PruningPass(registry, services, options.retention());
	}

	@Override
	public List<PruningStatus> status() {
		return this.pass.status();
	}

	@Override
	public PruningStatus status(String projector) {
		return this.pass.status(projector);
	}

	@Override
	public @Nullable String lastFailure() {
		WorkerFailure ended = this.worker.failure();
		String last = this.failure;
		return (ended != null) ? ended.describe() : (last != null) ? last : this.pass.failure();
	}

	/** Does nothing if pruning is disabled. */
	@Override
	public void start() {
		if (this.options.enabled()) {
			this.phase.start(this.worker::start);
		}
	}

	/** Waits for the current transaction, some seconds at most. */
	@Override
	public void stop() {
		this.phase.stop(this.worker::stop);
	}

	/** Returns at once: other parts stop at the same time. */
	@Override
	public void stop(Runnable callback) {
		this.phase.stop(this.worker::stop, callback);
	}

	@Override
	public boolean isRunning() {
		return this.phase.isRunning();
	}

	@Override
	public int getPhase() {
		return ApplicationPhase.PHASE;
	}

	@Override
	public void close() {
		stop();
	}

	private void run() throws InterruptedException {
		Duration every = this.options.every();
		Duration pause = (every.compareTo(FIRST_PASS_WITHIN) < 0) ? every : FIRST_PASS_WITHIN;
		try {
			while (!this.worker.awaitStop(pause)) {
				prune();
				pause = every;
				this.worker.beat();
			}
		}
		finally {
			this.pass.giveUp();
		}
	}

	private void prune() throws InterruptedException {
		try {
			this.pass.run(this.worker);
			this.failure = null;
		}
		catch (RuntimeException ex) {
			if (this.failure == null) {
				logger.warn("Pruning of processed events has stopped: {}. It is tried again in {}.",
						DatabaseFailure.describe(ex), this.options.every());
			}
			this.failure = DatabaseFailure.describe(ex);
			logger.debug("What stopped it.", ex);
		}
	}

}
