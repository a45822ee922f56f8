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
import dev.eventing.sdk.projector.attempt.ProjectorThreads;
import dev.eventing.sdk.projector.rebuild.GenerationBuilder;
import dev.eventing.sdk.projector.rebuild.StandbyLimit;
import dev.eventing.sdk.projector.redrive.RedrivePoll;
import dev.eventing.sdk.worker.SupervisedWorker;
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
final class GenerationKeeper {

	private static final Logger logger = LoggerFactory.getLogger(GenerationKeeper.class);

	/** Should no look wake it. */
	private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

	/** How long a stop waits for threads that do not end in time. */
	private static final Duration STOPS_WITHIN = Duration.ofSeconds(5);

	private final Supplier<List<ProjectorContainer>> projectors;

	private final ProjectorServices services;

	private final ProjectorThreads threads;

	private final RedrivePoll redrivePoll;

	private final Duration drain;

	private final Duration standbyLimit;

	/** By the name of the projector. Changed by the thread of the worker alone. */
	private final Map<String, GenerationContainer> running = new ConcurrentHashMap<>();

	/** For the thread of the worker. */
	private final Map<ProjectorEndpoint, GenerationBuilder> builders = new HashMap<>();

	/** For the thread of the worker. */
	private final Map<String, StandbyLimit> limits = new HashMap<>();

	/** What cannot be done now, by the name of the projector. */
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
			ProjectorThreads threads, RedrivePoll redrivePoll, ProjectorRuntime runtime) {
		this.projectors = projectors;
		this.services = services;
		this.threads = threads;
		this.redrivePoll = redrivePoll;
		this.drain = runtime.drainTimeout();
		this.standbyLimit = runtime.standbyLimit();
	}

	/** Follows what operators decided, and the generations that are to be fed. */
	void follow(Decisions now) {
		this.decisions = now;
		if (!now.beside().isEmpty() || !this.running.isEmpty() || !now.requested().isEmpty()) {
			this.worker.start();
			this.wake.release();
		}
	}

	/** The generations that run on this node, or stand by. */
	List<GenerationContainer> containers() {
		return List.copyOf(this.running.values());
	}

	/** The generations beside live ones, as of the last look. */
	List<GenerationStatus> status() {
		Decisions now = this.decisions;
		return (now != null) ? this.projectors.get()
			.stream()
			.map(ProjectorContainer::name)
			.filter(now.beside()::containsKey)
			.map((name) -> status(name, Objects.requireNonNull(now.beside().get(name))))
			.toList() : List.of();
	}

	private GenerationStatus status(String projector, Seen seen) {
		GenerationContainer here = this.running.get(projector);
		boolean runs = here != null && here.generation() == seen.generation();
		return new GenerationStatus(projector, seen.generation(), seen.status(), seen.failure(),
				(here != null && runs) ? here.status() : null, (here != null && runs) ? here.behind() : Behind.UNKNOWN);
	}

	/** What cannot be done now; null if nothing keeps failing. */
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
						keepOrSay(projector, now);
					}
				}
				this.worker.beat();
				if (!sweepOn() && this.wake.tryAcquire(LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
					this.wake.drainPermits();
				}
			}
		}
		finally {
			for (String projector : List.copyOf(this.running.keySet())) {
				end(projector);
			}
			this.failures.clear();
		}
	}

	/**
	 * Goes on with sweeps that took too long for one turn.
	 * @return whether the next turn is to follow at once
	 */
	private boolean sweepOn() {
		boolean on = false;
		for (GenerationBuilder each : this.builders.values()) {
			if (each.hasClaimsLeft()) {
				try {
					each.sweepClaims();
					on = on || each.hasClaimsLeft();
				}
				catch (DataAccessException | TransactionException ex) {
					logger.debug("Claims of a generation are left. They are deleted later.", ex);
				}
			}
		}
		return on;
	}

	/** What one projector cannot do does not concern the others. */
	private void keepOrSay(ProjectorContainer projector, Decisions now) throws InterruptedException {
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
			logger.debug("What stopped it.", ex);
		}
	}

	private void keep(ProjectorContainer projector, Decisions now) throws InterruptedException {
		String name = projector.name();
		GenerationContainer current = this.running.get(name);
		Action requested = now.requested().get(name);
		// Before it is dropped, each node stops it.
		boolean feeds = projector.isStarted() && projector.endpoint().hasOneOwner() && requested != Action.RETIRE;
		Seen beside = now.beside().get(name);
		ProjectorEndpoint feeding = (feeds && beside != null && beside.status().isFed())
				? projector.versions().get(beside.version()) : null;
		Integer wanted = (beside != null && feeding != null) ? (Integer) beside.generation() : null;
		if (current != null && (wanted == null || wanted != current.generation())) {
			end(name);
			sweep(projector, current.generation());
		}
		if (wanted != null && feeding != null && this.running.get(name) == null) {
			begin(projector, feeding, wanted);
		}
		GenerationContainer kept = this.running.get(name);
		if (requested == Action.SWITCH && kept != null) {
			kept.look();
		}
		if (beside != null && projector.isStarted()) {
			limit(name).look(beside.status(), requested);
		}
		if (requested != null && projector.isStarted() && GenerationBuilder.isServed(requested)) {
			builder(projector.endpoint()).serve();
		}
	}

	private void begin(ProjectorContainer projector, ProjectorEndpoint feeding, int generation)
			throws InterruptedException {
		GenerationContainer next = new GenerationContainer(feeding, generation, this.services, this.threads,
				this.redrivePoll, projector.pause(), builder(feeding));
		builder(projector.endpoint()).sweepClaims(); // what a node has left that died
		next.start();
		this.running.put(projector.name(), next);
	}

	private void end(String projector) throws InterruptedException {
		GenerationContainer current = this.running.remove(projector);
		if (current != null) {
			current.stop(this.drain);
		}
	}

	private void sweep(ProjectorContainer projector, int generation) {
		try {
			builder(projector.endpoint()).sweepClaims();
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
