package dev.eventing.sdk.projector.container;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.jdbc.DatabaseFailure;
import dev.eventing.sdk.projection.Behind;
import dev.eventing.sdk.projection.ProjectionRequest.Action;
import dev.eventing.sdk.projection.ledger.ControlLedger.Decisions;
import dev.eventing.sdk.projection.ledger.ControlLedger.Seen;
import dev.eventing.sdk.projector.GenerationStatus;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorRuntime;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.rebuild.GenerationBuilder;
import dev.eventing.sdk.projector.rebuild.StandbyLimit;
import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.SupervisedWorker;
import dev.eventing.sdk.worker.Watched;
import dev.eventing.sdk.worker.WorkerFailure;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * Runs the generations beside the live ones of this node's projectors, as the database
 * says, and creates and drops them as operators request. Thread-safe.
 */
final class GenerationKeeper implements Watched {

	private static final Logger logger = LoggerFactory.getLogger(GenerationKeeper.class);

	/** The longest time between two turns, if no look wakes the worker. */
	private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

	/** How long a stop waits for threads that do not end in time. */
	private static final Duration STOPS_WITHIN = Duration.ofSeconds(5);

	private final Supplier<List<ProjectorContainer>> projectors;

	private final ProjectorServices services;

	private final Duration drain;

	private final Duration standbyLimit;

	/** For the thread of the worker. */
	private final Map<ProjectorEndpoint, GenerationBuilder> builders = new HashMap<>();

	/** For the thread of the worker. */
	private final Map<String, StandbyLimit> limits = new HashMap<>();

	/** Why a step cannot be done now, by the name of the projector. */
	private final Map<String, String> failures = new ConcurrentHashMap<>();

	private final Semaphore wake = new Semaphore(0);

	private volatile @Nullable Decisions decisions;

	private final SupervisedWorker worker = SupervisedWorker.daemon("eventing-generations", this::run);

	/**
	 * Sends no query yet.
	 * @param projectors supplies all projectors of this node
	 * @param runtime how long a stop waits for events that lanes hold, and how long a
	 * generation that was live is fed
	 */
	GenerationKeeper(Supplier<List<ProjectorContainer>> projectors, ProjectorServices services,
			ProjectorRuntime runtime) {
		this.projectors = projectors;
		this.services = services;
		this.drain = runtime.drainTimeout();
		this.standbyLimit = runtime.standbyLimit();
	}

	/** Follows what operators decided, and the generations that are to be fed. */
	void follow(Decisions now) {
		this.decisions = now;
		if (!now.beside().isEmpty() || feedsAny() || !now.requested().isEmpty()) {
			this.worker.start();
			this.wake.release();
		}
	}

	@Override
	public List<Stall> stalls(Duration longest) {
		return this.worker.stalls(longest);
	}

	private boolean feedsAny() {
		return this.projectors.get().stream().anyMatch((projector) -> !projector.fed().isEmpty());
	}

	/** The generations beside live ones, as of the last look. */
	List<GenerationStatus> status() {
		Decisions now = this.decisions;
		return (now != null) ? this.projectors.get()
			.stream()
			.filter((projector) -> now.beside().containsKey(projector.name()))
			.map((projector) -> status(projector, Objects.requireNonNull(now.beside().get(projector.name()))))
			.toList() : List.of();
	}

	private static GenerationStatus status(ProjectorContainer projector, Seen seen) {
		Tenure here = projector.beside(seen.generation());
		return new GenerationStatus(projector.name(), seen.generation(), seen.status(), seen.failure(),
				(here != null) ? here.status() : null, (here != null) ? here.behind() : Behind.UNKNOWN);
	}

	/** Why a step cannot be done now; null if nothing keeps failing. */
	@Nullable String failure() {
		WorkerFailure ended = this.worker.failure();
		if (ended != null) {
			return ended.describe();
		}
		String all = new TreeMap<>(this.failures).entrySet()
			.stream()
			.map((each) -> each.getKey() + ": " + each.getValue())
			.collect(Collectors.joining("; "));
		return all.isEmpty() ? null : all;
	}

	/** Stops all generations. */
	void stop() {
		this.decisions = null;
		this.worker.requestStop();
		this.wake.release();
		try {
			this.worker.join(this.drain.plus(STOPS_WITHIN));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		this.worker.stop(); // so that it can start again
	}

	private void run() throws InterruptedException {
		try {
			while (!this.worker.isStopping()) {
				Decisions now = this.decisions;
				if (now != null) {
					for (ProjectorContainer projector : this.projectors.get()) {
						keepOrLog(projector, now);
					}
				}
				this.worker.beat();
				if (!sweepOn() && this.worker
					.rest(() -> this.wake.tryAcquire(LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS))) {
					this.wake.drainPermits();
				}
			}
		}
		finally {
			for (ProjectorContainer projector : this.projectors.get()) {
				for (int generation : projector.fed()) {
					projector.stopFeeding(generation, this.drain);
				}
			}
			this.failures.clear();
		}
	}

	/**
	 * Continues sweeps that took too long for one turn.
	 * @return whether the next turn is to follow at once
	 */
	private boolean sweepOn() {
		boolean on = false;
		for (GenerationBuilder each : this.builders.values()) {
			if (each.hasRowsLeft()) {
				try {
					each.sweep();
					on = on || each.hasRowsLeft();
				}
				catch (DataAccessException | TransactionException ex) {
					logger.debug("Rows of a generation are left. They are deleted later.", ex);
				}
			}
		}
		return on;
	}

	/** A failure of one projector does not concern the others. */
	private void keepOrLog(ProjectorContainer projector, Decisions now) throws InterruptedException {
		try {
			keep(projector, now);
			if (this.failures.remove(projector.name()) != null) {
				logger.info("The generations of the read model of projector '{}' are kept again.", projector.name());
			}
		}
		catch (RuntimeException ex) {
			String cause = DatabaseFailure.describe(ex);
			if (this.failures.put(projector.name(), cause) == null) {
				logger
					.warn("The generations of the read model of projector '{}' are not kept now: {}. It is tried again"
							+ " every second.", projector.name(), cause, ex);
			}
			logger.debug("The generations of projector '{}' are not kept now.", projector.name(), ex);
		}
	}

	private void keep(ProjectorContainer projector, Decisions now) throws InterruptedException {
		String name = projector.name();
		Action requested = now.requested().get(name);
		// Each node stops a generation before it is dropped.
		boolean feeds = projector.isStarted() && projector.endpoint().hasOneOwner() && requested != Action.RETIRE;
		Seen beside = now.beside().get(name);
		ProjectorEndpoint feeding = (feeds && beside != null && beside.status().isFed())
				? projector.versions().get(beside.version()) : null;
		Integer wanted = (beside != null && feeding != null) ? (Integer) beside.generation() : null;
		stopOthers(projector, wanted);
		if (wanted != null && feeding != null && projector.beside(wanted) == null) {
			builder(projector.endpoint()).sweep(); // the leftovers of a node that died
			projector.feed(wanted, feeding, builder(feeding));
		}
		Tenure fed = (wanted != null) ? projector.beside(wanted) : null;
		if (requested == Action.SWITCH && fed != null) {
			fed.look();
		}
		if (beside != null && projector.isStarted()) {
			limit(name).look(beside.status(), requested, projector.versions().containsKey(beside.version()));
		}
		if (requested != null && projector.isStarted() && GenerationBuilder.isServed(requested)) {
			builder(projector.endpoint()).serve();
		}
	}

	/** Stops all generations of the projector but the wanted one. */
	private void stopOthers(ProjectorContainer projector, @Nullable Integer wanted) throws InterruptedException {
		for (Integer generation : projector.fed()) {
			if (!generation.equals(wanted)) {
				projector.stopFeeding(generation, this.drain);
				sweep(projector, generation);
			}
		}
	}

	private void sweep(ProjectorContainer projector, int generation) {
		try {
			builder(projector.endpoint()).sweep();
		}
		catch (DataAccessException | TransactionException ex) {
			logger.debug("The lease of generation {} of projector '{}' may be left.", generation, projector.name(), ex);
		}
	}

	private StandbyLimit limit(String projector) {
		return this.limits.computeIfAbsent(projector,
				(name) -> new StandbyLimit(ProjectorId.of(name), this.services, this.standbyLimit));
	}

	private GenerationBuilder builder(ProjectorEndpoint version) {
		return this.builders.computeIfAbsent(version, (each) -> new GenerationBuilder(each, this.services));
	}

}
