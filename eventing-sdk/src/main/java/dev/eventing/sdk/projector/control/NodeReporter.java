package dev.eventing.sdk.projector.control;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import dev.eventing.sdk.jdbc.DatabaseFailure;
import dev.eventing.sdk.projection.ledger.NodeLedger;
import dev.eventing.sdk.projection.ledger.NodeReport;
import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.SupervisedWorker;
import dev.eventing.sdk.worker.Watched;
import dev.eventing.sdk.worker.WorkerFailure;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;

/**
 * Reports what this node runs, with one statement for all projectors, on a separate
 * thread: every 5 s, and within a second after a state has changed or a generation has
 * come. Projectors never wait for it. Thread-safe.
 */
public final class NodeReporter implements Watched {

	private static final Logger logger = LoggerFactory.getLogger(NodeReporter.class);

	private static final Duration INTERVAL = Duration.ofSeconds(5);

	/** How often it deletes what dead nodes reported. */
	private static final Duration SWEEP = Duration.ofSeconds(30);

	private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

	/** The log warns after as many failures in a row. */
	private static final int PERSISTENT = 3;

	private final NodeLedger ledger;

	private final String node;

	private final Supplier<? extends List<?>> states;

	private final Supplier<List<NodeReport>> reports;

	private final SupervisedWorker worker = SupervisedWorker.daemon("eventing-node-reports", this::run);

	/** The states at the last report. For the thread that reports. */
	private List<?> seen = List.of();

	/** The {@link System#nanoTime} of the last report. For the thread that reports. */
	private long reportedAt;

	/** The projectors at the last sweep. For the thread that reports. */
	private List<String> swept = List.of();

	/** The {@link System#nanoTime} of the last sweep. For the thread that reports. */
	private long sweptAt;

	/** For the thread that reports. */
	private int failures;

	/** Whether the last report is in the database. For the thread that reports. */
	private boolean reported;

	/** Why the last reports failed; null if they did not. */
	private volatile @Nullable String failure;

	/**
	 * Sends no report yet.
	 * @param node the name of this node, as leases name it
	 * @param states supplies the generations of all projectors with their states, without
	 * a request
	 * @param reports supplies what is to be reported
	 */
	public NodeReporter(NodeLedger ledger, String node, Supplier<? extends List<?>> states,
			Supplier<List<NodeReport>> reports) {
		this.ledger = ledger;
		this.node = node;
		this.states = states;
		this.reports = reports;
	}

	/** Does nothing if it was started and not stopped since. */
	public void start() {
		this.worker.start();
	}

	/** Deletes what was reported, unless the database does not answer. */
	public void stop() {
		this.worker.stop();
	}

	@Override
	public List<Stall> stalls(Duration longest) {
		return this.worker.stalls(longest);
	}

	/** Why it does not report now; null if it does, and after a stop. */
	public @Nullable String failure() {
		WorkerFailure ended = this.worker.failure();
		return (ended != null) ? ended.describe() : this.failure;
	}

	private void run() throws InterruptedException {
		try {
			while (!this.worker.awaitStop(BETWEEN_LOOKS)) {
				List<?> now = this.states.get();
				if (!now.equals(this.seen) || System.nanoTime() - this.reportedAt >= INTERVAL.toNanos()) {
					this.seen = now;
					this.reportedAt = System.nanoTime();
					report();
				}
				this.worker.beat();
			}
		}
		finally {
			if (this.worker.isStopping()) {
				forget();
			}
		}
	}

	private void report() {
		try {
			List<NodeReport> all = this.reports.get();
			if (!all.isEmpty()) {
				this.ledger.report(this.node, all);
				this.reported = true;
				sweep(all);
			}
			this.failures = 0;
			this.failure = null;
		}
		catch (DataAccessException ex) {
			this.reported = false;
			this.failures++;
			failed(ex);
		}
	}

	private void sweep(List<NodeReport> all) {
		List<String> projectors = all.stream().map(NodeReport::projector).toList();
		if (!projectors.equals(this.swept) || System.nanoTime() - this.sweptAt >= SWEEP.toNanos()) {
			this.ledger.sweep(this.node, all);
			this.swept = projectors;
			this.sweptAt = System.nanoTime();
		}
	}

	private void failed(DataAccessException ex) {
		logger.debug("Node '{}' cannot report its projectors now.", this.node, ex);
		if (this.failures >= PERSISTENT) {
			String cause = DatabaseFailure.describe(ex);
			this.failure = cause;
			if (this.failures == PERSISTENT) {
				logger.warn("Node '{}' cannot report its projectors: {}. It is tried again every {} s. Projectors run "
						+ "regardless.", this.node, cause, INTERVAL.toSeconds());
			}
		}
	}

	private void forget() {
		this.failure = null;
		this.seen = List.of();
		this.swept = List.of();
		if (this.reported) {
			this.reported = false;
			try {
				this.ledger.forget(this.node);
			}
			catch (DataAccessException ex) {
				logger.debug("The reports of node '{}' stay until another node deletes them.", this.node, ex);
			}
		}
	}

}
