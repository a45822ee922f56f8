package dev.eventing.sdk.projection.reconcile;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import dev.eventing.sdk.event.DurationText;
import dev.eventing.sdk.jdbc.DatabaseFailure;
import dev.eventing.sdk.lease.KeptLease;
import dev.eventing.sdk.lease.Leases;
import dev.eventing.sdk.projection.CheckSchedule;
import dev.eventing.sdk.projection.ReconciliationCheck;
import dev.eventing.sdk.projection.Reconciliations;
import dev.eventing.sdk.projection.ledger.CheckLedger;
import dev.eventing.sdk.projection.ledger.CheckRequests;
import dev.eventing.sdk.projection.ledger.CheckRequests.Requested;
import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.SupervisedWorker;
import dev.eventing.sdk.worker.SweepingWorker;
import dev.eventing.sdk.worker.WorkerFailure;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the checks that are to run by themselves, and those that operators request, one
 * after the other on a separate thread. Each check has a lease, so one node runs it. If
 * the lease is lost while a check runs, another node may run it too: a check changes
 * nothing. While one runs for long, other nodes may have the other ones, and this node
 * runs them between its buckets. Thread-safe.
 */
public final class ReconciliationSchedule extends SweepingWorker implements CheckSchedule {

	private static final Logger logger = LoggerFactory.getLogger(ReconciliationSchedule.class);

	private static final Duration LOOK = Duration.ofSeconds(1);

	private static final Duration LONGEST_CHECK = Duration.ofMinutes(10);

	/**
	 * How often a node that stands by asks for a check's lease, per time between runs.
	 */
	private static final int LOOKS_PER_RUN = 10;

	private static final Duration LONGEST_STANDBY = Duration.ofMinutes(1);

	/** How long a requested check waits for a generation to be at rest. */
	private static final Duration COMES_TO_REST_WITHIN = Duration.ofSeconds(10);

	private final Reconciliations reconciliations;

	private final Leases leases;

	private final CheckLedger ledger;

	private final CheckRequests requests;

	private final Map<String, Turn> turns = new LinkedHashMap<>();

	/** Why a check cannot run now, by its name. */
	private final Map<String, String> failures = new ConcurrentHashMap<>();

	private volatile RequestedChecks requested;

	/** The check that runs, beside one between its buckets. For the thread. */
	private @Nullable Turn running;

	/** For the thread. */
	private boolean isBetweenBuckets;

	/** For the thread. */
	private long lookedAt = System.nanoTime();

	/** Sends no request yet. */
	public ReconciliationSchedule(Reconciliations reconciliations, Leases leases, CheckLedger ledger,
			CheckRequests requests) {
		super("eventing-reconciliations");
		this.reconciliations = reconciliations;
		this.leases = leases;
		this.ledger = ledger;
		this.requests = requests;
		this.requested = new RequestedChecks(requests, List.of());
	}

	/** Does nothing if the application has no checks. */
	@Override
	public void start() {
		List<ReconciliationCheck> checks = this.reconciliations.checks();
		this.turns.clear();
		checks.forEach((check) -> this.turns.put(check.name(), new Turn(check)));
		this.requested = new RequestedChecks(this.requests, checks);
		if (!checks.isEmpty()) {
			super.start();
		}
	}

	@Override
	public @Nullable String lastFailure() {
		WorkerFailure ended = failure();
		if (ended != null) {
			return ended.describe();
		}
		Map<String, String> all = new TreeMap<>(this.failures);
		String unknown = this.requested.failure();
		if (unknown != null) {
			all.put("requests", unknown);
		}
		return all.isEmpty() ? null
				: all.entrySet()
					.stream()
					.map((each) -> each.getKey() + ": " + each.getValue())
					.collect(Collectors.joining("; "));
	}

	/** The query of a check may take ten minutes, and gives no sign of life meanwhile. */
	@Override
	public List<Stall> stalls(Duration longest) {
		return super.stalls(longest.plus(LONGEST_CHECK));
	}

	@Override
	protected Duration firstPause() {
		return LOOK;
	}

	@Override
	protected Duration sweep(SupervisedWorker thread) {
		runAll(thread);
		return LOOK;
	}

	/** Runs what is requested or due, but for the check that is running already. */
	private void runAll(SupervisedWorker thread) {
		for (Requested each : this.requested.look()) {
			Turn turn = this.turns.get(each.check());
			if (turn != null && turn != this.running && !thread.isStopping()) {
				turn.serve(each, thread);
				ran(thread);
			}
		}
		for (Turn turn : this.turns.values()) {
			if (turn != this.running && !thread.isStopping() && turn.take(thread)) {
				ran(thread);
			}
		}
		this.lookedAt = System.nanoTime();
	}

	/** A check of many buckets may run for hours. */
	private void betweenBuckets(SupervisedWorker thread) {
		thread.beat();
		if (this.isBetweenBuckets || thread.isStopping() || System.nanoTime() - this.lookedAt < LOOK.toNanos()) {
			return;
		}
		this.isBetweenBuckets = true;
		try {
			runAll(thread);
		}
		finally {
			this.isBetweenBuckets = false;
		}
		letGo();
	}

	/** Other nodes can have the checks that do not run here. */
	private void letGo() {
		this.turns.values().stream().filter((turn) -> turn != this.running).forEach((turn) -> turn.lease.release());
	}

	/** Those who request a check wait to hear that a node has it. */
	private void ran(SupervisedWorker thread) {
		thread.beat();
		this.requested.look();
	}

	@Override
	protected void ended(boolean stopping) {
		this.turns.values().forEach((turn) -> turn.lease.release());
		if (stopping) {
			this.failures.clear();
			this.requested.forget();
		}
	}

	/** One check, as this node sees it. For the thread of the schedule. */
	private final class Turn {

		private final ReconciliationCheck check;

		private final KeptLease lease;

		private long lookAt = System.nanoTime();

		/** As far as it is known: it took more than a moment the last time. */
		private boolean isLong = true;

		Turn(ReconciliationCheck check) {
			this.check = check;
			this.lease = new KeptLease(ReconciliationSchedule.this.leases, "reconciliation/" + check.name());
		}

		/**
		 * Runs the check if it is due, and this node may run it.
		 * @return whether it was looked at
		 */
		boolean take(SupervisedWorker thread) {
			Duration every = this.check.every();
			if (every == null || System.nanoTime() - this.lookAt < 0) {
				return false;
			}
			Duration pause = standby(every);
			try {
				if (this.lease.takeForWork()) {
					pause = runIfDue(every, thread);
				}
				works();
			}
			catch (RuntimeException ex) {
				failed(ex, pause);
			}
			this.lookAt = System.nanoTime() + pause.toNanos();
			return true;
		}

		/** Runs the check if it is still requested, and this node may run it. */
		void serve(Requested requested, SupervisedWorker thread) {
			try {
				if (this.lease.takeForWork() && ReconciliationSchedule.this.requested.isOpen(requested)) {
					run(requested.generation(), requested.actor(), thread);
					ReconciliationSchedule.this.requested.answer(requested);
				}
				works();
			}
			catch (RuntimeException ex) {
				failed(ex, LOOK);
			}
			finally {
				if (this.check.every() == null) {
					this.lease.release();
				}
			}
		}

		/** Between the buckets of another check it is part of that one's time. */
		private void run(@Nullable Integer beside, String actor, SupervisedWorker thread) {
			if (ReconciliationSchedule.this.isBetweenBuckets) {
				compare(beside, actor, thread);
				return;
			}
			ReconciliationSchedule.this.running = this;
			long begun = System.nanoTime();
			try {
				if (this.isLong) {
					letGo();
				}
				compare(beside, actor, thread);
			}
			finally {
				this.isLong = System.nanoTime() - begun > LOOK.toNanos();
				ReconciliationSchedule.this.running = null;
			}
		}

		/** An application may have made checks of its own, which run as a whole. */
		private void compare(@Nullable Integer beside, String actor, SupervisedWorker thread) {
			Reconciliations checks = ReconciliationSchedule.this.reconciliations;
			if (checks instanceof ReconciliationRunner runner) {
				runner.run(this.check.name(), beside, actor, (beside != null) ? COMES_TO_REST_WITHIN : Duration.ZERO,
						() -> betweenBuckets(thread));
			}
			else if (beside != null) {
				checks.runBeside(this.check.name(), beside, actor, COMES_TO_REST_WITHIN);
			}
			else {
				checks.run(this.check.name(), actor);
			}
		}

		private void failed(RuntimeException ex, Duration pause) {
			String cause = DatabaseFailure.describe(ex);
			if (ReconciliationSchedule.this.failures.put(this.check.name(), cause) == null) {
				logger.warn("Check '{}' cannot run now: {}. It is tried again in {}.", this.check.name(), cause,
						DurationText.of(pause));
			}
			logger.debug("What stopped it.", ex);
		}

		private void works() {
			if (ReconciliationSchedule.this.failures.remove(this.check.name()) != null) {
				logger.info("Check '{}' can run again.", this.check.name());
			}
		}

		private static Duration standby(Duration every) {
			return shorter(every.dividedBy(LOOKS_PER_RUN), LONGEST_STANDBY);
		}

		/** Returns the time until it is to be looked at again. */
		private Duration runIfDue(Duration every, SupervisedWorker thread) {
			Duration since = ReconciliationSchedule.this.ledger.sinceLast(this.check).orElse(every);
			// A result from the future is of a server whose clock was ahead.
			Duration left = since.isNegative() ? Duration.ZERO : every.minus(since);
			if (left.isNegative() || left.isZero()) {
				run(null, "schedule on " + ReconciliationSchedule.this.leases.node(), thread);
				return shorter(every, LONGEST_STANDBY);
			}
			return shorter(left, LONGEST_STANDBY);
		}

		private static Duration shorter(Duration one, Duration other) {
			return (one.compareTo(other) < 0) ? one : other;
		}

	}

}
