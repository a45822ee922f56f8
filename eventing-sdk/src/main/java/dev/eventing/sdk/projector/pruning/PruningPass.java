package dev.eventing.sdk.projector.pruning;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import dev.eventing.sdk.deadletter.ledger.OpenLetters;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.idempotency.PrunableRows;
import dev.eventing.sdk.idempotency.PrunedHistory;
import dev.eventing.sdk.jdbc.DatabaseFailure;
import dev.eventing.sdk.lease.KeptLease;
import dev.eventing.sdk.lease.Leases;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.PruningStatus;
import dev.eventing.sdk.projector.source.EventSource;
import dev.eventing.sdk.projector.source.EventSources;
import dev.eventing.sdk.projector.source.PruneBound;
import dev.eventing.sdk.schema.TableGuard;
import dev.eventing.sdk.worker.SupervisedWorker;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The passes over {@code processed_events}, one at a time, for all projectors whose
 * pruning lease this node gets. For one thread. Any thread may read the status.
 */
final class PruningPass {

	private static final Logger logger = LoggerFactory.getLogger(PruningPass.class);

	/** The blocks per transaction: 2 MiB, some ten thousand rows. */
	private static final int BLOCKS = 256;

	private final ProjectorRegistry registry;

	private final Duration retention;

	private final Leases leases;

	private final TableGuard tables;

	private final ProjectorServices services;

	private final PrunedHistory history;

	private final PrunableRows rows;

	private final Map<ProjectorId, KeptLease> held = new ConcurrentHashMap<>();

	private final Map<ProjectorId, PruningStatus> pruned = new ConcurrentHashMap<>();

	/** By projector, why nothing of it was pruned in the last pass. */
	private final Map<ProjectorId, String> failures = new ConcurrentHashMap<>();

	PruningPass(ProjectorRegistry registry, ProjectorServices services, Duration retention) {
		JdbcTemplate jdbc = new JdbcTemplate(services.dataSource());
		this.registry = registry;
		this.retention = retention;
		this.leases = services.leases();
		this.tables = services.tableGuard();
		this.services = services;
		this.history = new PrunedHistory(jdbc, services.schema());
		this.rows = new PrunableRows(jdbc, services.schema(), new OpenLetters(services.schema()));
	}

	List<PruningStatus> status() {
		return this.registry.endpoints().stream().map((endpoint) -> status(endpoint.id())).toList();
	}

	PruningStatus status(ProjectorId projector) {
		return this.pruned.getOrDefault(projector, new PruningStatus(projector.base(), 0, null));
	}

	/**
	 * Passes over the table once.
	 * @param worker its stop ends the pass early
	 * @throws DataAccessException if a statement fails
	 * @throws dev.eventing.sdk.schema.UnsafeTablesException if rows may be hidden: what
	 * bounds the pass could be among them
	 */
	void run(SupervisedWorker worker) throws InterruptedException {
		this.tables.require();
		Map<ProjectorId, Instant> before = new TreeMap<>();
		for (ProjectorEndpoint endpoint : this.registry.endpoints()) {
			boundOf(endpoint).ifPresent((bound) -> before.put(endpoint.id(), bound));
		}
		if (before.isEmpty()) {
			return;
		}
		Instant began = Instant.now();
		Map<ProjectorId, Long> gone = new TreeMap<>();
		before.keySet().forEach((projector) -> gone.put(projector, 0L));
		if (deleteAll(before, gone, worker)) {
			logger.info("Pruned processed events in {} ms, rows by projector: {}.",
					Duration.between(began, Instant.now()).toMillis(), gone);
			before.keySet().forEach((projector) -> ended(projector, Instant.now()));
		}
	}

	/**
	 * Returns the bound, which is written down. Also empty if another node prunes, while
	 * old rows are needed, or while a server is unreachable.
	 */
	private Optional<Instant> boundOf(ProjectorEndpoint endpoint) {
		try {
			EventSource source = EventSources.of(endpoint, this.services);
			Optional<Instant> bound = (owns(endpoint.id()) && !source.needsOldRows())
					? source.pruneBound().map(this::forget) : Optional.empty();
			this.failures.remove(endpoint.id());
			return bound;
		}
		catch (RuntimeException ex) { // others are pruned all the same
			failed(endpoint.id(), ex);
			return Optional.empty();
		}
	}

	private void failed(ProjectorId projector, RuntimeException ex) {
		String why = DatabaseFailure.describe(ex);
		if (this.failures.put(projector, why) == null) {
			logger.warn("Pruning of processed events of projector '{}' fails: {}. Each pass tries it again.", projector,
					why);
		}
		logger.debug("Processed events of projector '{}' are not pruned now.", projector, ex);
	}

	/** Why the last pass could not prune all, or null. */
	@Nullable String failure() {
		return this.failures.isEmpty() ? null
				: this.failures.entrySet()
					.stream()
					.sorted(Map.Entry.comparingByKey())
					.map((each) -> "Projector '" + each.getKey() + "': " + each.getValue())
					.collect(Collectors.joining("; "));
	}

	private boolean owns(ProjectorId projector) {
		return this.held.computeIfAbsent(projector, (id) -> new KeptLease(this.leases, id.pruningLease()))
			.takeForWork();
	}

	/** Records the bound. This is committed before the first row is deleted. */
	private Instant forget(PruneBound bound) {
		return this.history.forget(bound.projector(), bound.stream(), bound.settledBefore().minus(this.retention),
				this.retention);
	}

	/** Returns whether the pass reached the end of the table. */
	private boolean deleteAll(Map<ProjectorId, Instant> before, Map<ProjectorId, Long> gone, SupervisedWorker worker)
			throws InterruptedException {
		long blocks = this.rows.blocks();
		// What needs old rows may have begun since the bound was written down.
		Set<ProjectorId> needed = needed();
		before.keySet().removeIf(needed::contains);
		for (long from = 0; from < blocks && !before.isEmpty(); from += BLOCKS) {
			long began = System.nanoTime();
			this.rows.delete(before, from, from + BLOCKS).forEach((projector, rows) -> {
				gone.merge(projector, rows, Long::sum);
				count(projector, rows);
			});
			// Pauses for as long as the transaction took, to leave half of the time to
			// others.
			if (worker.awaitStop(Duration.ofNanos(System.nanoTime() - began))) {
				return false;
			}
			Set<ProjectorId> neededNow = needed();
			before.keySet().removeIf((projector) -> neededNow.contains(projector) || !owns(projector));
		}
		return true;
	}

	private Set<ProjectorId> needed() {
		return this.registry.endpoints()
			.stream()
			.filter((endpoint) -> EventSources.of(endpoint, this.services).needsOldRows())
			.map(ProjectorEndpoint::id)
			.collect(Collectors.toSet());
	}

	private void count(ProjectorId projector, long rows) {
		PruningStatus last = status(projector);
		this.pruned.put(projector, new PruningStatus(projector.base(), last.rows() + rows, last.lastPass()));
	}

	private void ended(ProjectorId projector, Instant at) {
		this.pruned.put(projector, new PruningStatus(projector.base(), status(projector).rows(), at));
	}

	/** Releases all leases, so that other nodes can prune. */
	void giveUp() {
		this.held.values().forEach(KeptLease::release);
		this.held.clear();
	}

}
