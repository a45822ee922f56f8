package dev.eventing.sdk.projector.rebuild;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.jdbc.BoundedDataSource;
import dev.eventing.sdk.jdbc.DatabaseFailure;
import dev.eventing.sdk.jdbc.SeparateTransactions;
import dev.eventing.sdk.lease.Lease;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.ProjectionRequest.Action;
import dev.eventing.sdk.projection.ledger.Filling;
import dev.eventing.sdk.projection.ledger.FillingLedger;
import dev.eventing.sdk.projection.ledger.GenerationLedger;
import dev.eventing.sdk.projection.ledger.RequestLedger;
import dev.eventing.sdk.projection.tables.ReadModelTablesException;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.failure.FailureClassifier;
import dev.eventing.sdk.projector.transaction.TransactionStep;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionException;

/**
 * Creates and drops the generations beside the live one of a projector. Any node does it,
 * in one transaction for each request, so that a crash leaves all or nothing. For one
 * thread.
 */
public final class GenerationBuilder {

	private static final Logger logger = LoggerFactory.getLogger(GenerationBuilder.class);

	/** How long a statement waits for transactions that use the tables. */
	private static final String LOCK_TIMEOUT = "set local lock_timeout = '2s'";

	/**
	 * The request is locked meanwhile. If this node is frozen or cut off, the server ends
	 * the transaction.
	 */
	private static final String IDLE_TIMEOUT = "set local idle_in_transaction_session_timeout = '10s'";

	/** All projectors of the node share the thread: it waits for no silent server. */
	private static final Duration LONGEST_STATEMENT = Duration.ofSeconds(30);

	/** How long old rows are deleted at a time: other projectors wait meanwhile. */
	private static final Duration SWEEP = Duration.ofSeconds(1);

	private final ProjectorEndpoint endpoint;

	private final ProjectorServices services;

	private final SeparateTransactions transactions;

	private final JdbcTemplate jdbc;

	private final FillingLedger fillings;

	private final RequestLedger requests;

	private final RequestOutcomes outcomes;

	private final String definition;

	private final SourceCheck source;

	private final GenerationBeginning beginning;

	private final GenerationRemoval removal;

	private boolean rowsLeft;

	/** The last logged text about a request that is not done. */
	private String said = "";

	/** Sends no query yet. */
	public GenerationBuilder(ProjectorEndpoint endpoint, ProjectorServices services) {
		this.endpoint = endpoint;
		this.services = services;
		this.transactions = new SeparateTransactions(BoundedDataSource.of(services.dataSource(), LONGEST_STATEMENT));
		this.jdbc = new JdbcTemplate(this.transactions.dataSource());
		this.fillings = new FillingLedger(this.jdbc, services.schema(), endpoint.id());
		this.requests = new RequestLedger(this.jdbc, services.schema());
		this.outcomes = new RequestOutcomes(endpoint.id(), this.requests,
				new GenerationLedger(this.jdbc, services.schema(), endpoint.id()));
		this.definition = ProjectorDefinition.of(endpoint);
		this.source = new SourceCheck(endpoint, services);
		this.beginning = new GenerationBeginning(endpoint, services, this.jdbc, this.source);
		this.removal = new GenerationRemoval(endpoint, services, this.jdbc);
	}

	/**
	 * Returns how a generation beside the live one is to be filled.
	 * @throws NotFedException if it is not to be fed
	 * @throws UnfinishedRebuildException if this version of the projector cannot continue
	 * with it
	 * @throws DataAccessException if the database does not answer
	 */
	public Filling filling(int generation) {
		Filling found = this.transactions.read(() -> this.fillings.fed(generation))
			.orElseThrow(() -> new NotFedException(id(), generation));
		if (!found.definition().equals(this.definition)) {
			throw new UnfinishedRebuildException(id(),
					"The code " + ProjectorDefinition.change(this.definition, found.definition())
							+ " than when generation " + generation
							+ " was begun. Deploy that version again, or retire the generation.");
		}
		if (found.limits() != null
				&& !Objects.equals(ProjectorDefinition.scriptChecksum(this.endpoint), found.script())) {
			throw new UnfinishedRebuildException(id(), "The script that creates its tables is another one than when"
					+ " generation " + generation + " was begun. Deploy that version again, or retire the generation.");
		}
		return found;
	}

	/** How the transactions of a generation beside the live one begin and end. */
	public TransactionStep boundary(Filling filling) {
		JdbcTemplate template = new JdbcTemplate(this.services.dataSource());
		return new GenerationBoundary(filling, template, this.services.schema(),
				new GenerationLedger(template, this.services.schema(), id()));
	}

	/**
	 * Does what an operator requested, if it can be done now.
	 * @throws DataAccessException if the database does not answer
	 * @throws TransactionException if the database does not answer
	 */
	public void serve() {
		Lease lease = null;
		try {
			Optional<ProjectionRequest.What> wanted = this.transactions.write(() -> this.requests.lock(name()))
				.map(ProjectionRequest::what);
			Integer retired = wanted.filter((each) -> each.action() == Action.RETIRE)
				.map((each) -> each.generation())
				.orElse(null);
			// Its owner may have died with a transaction open, which ends with its lease.
			lease = (retired != null) ? this.services.leases().tryAcquire(id().ofGeneration(retired).lease()) : null;
			if (retired == null || lease != null) {
				// No transaction waits for the server of the stream.
				serveNow((retired == null) ? this.source.look(wanted.map((each) -> each.build().until()).orElse(null))
						: SourceCheck.Found.STORE);
				this.said = "";
			}
			this.rowsLeft = this.rowsLeft || retired != null;
		}
		catch (ReadModelTablesException | DataAccessException | TransactionException ex) {
			failed(ex);
		}
		finally {
			if (lease != null) {
				lease.release();
			}
		}
		if (this.rowsLeft) {
			sweep();
		}
	}

	private void serveNow(SourceCheck.Found found) {
		this.transactions.write(() -> {
			this.jdbc.execute(LOCK_TIMEOUT);
			this.jdbc.execute(IDLE_TIMEOUT);
			Optional<ProjectionRequest> request = this.requests.lock(name());
			request.filter((each) -> each.what().action() == Action.REBUILD_BESIDE)
				.ifPresent((each) -> this.beginning.begin(each, found));
			request.filter((each) -> each.what().action() == Action.RETIRE).ifPresent(this.removal::retire);
			return true;
		});
	}

	private void failed(RuntimeException ex) {
		boolean permanent = ex instanceof ReadModelTablesException;
		boolean temporary = !permanent && (FailureClassifier.isTransient(ex) || FailureClassifier.isTimeOut(ex)
				|| ex instanceof TransactionException);
		String why = permanent ? String.valueOf(ex.getMessage())
				: "The tables cannot be created or dropped now: " + DatabaseFailure.describe(ex) + ".";
		if (!why.equals(this.said)) {
			logger.info("A request for the read model of projector '{}' is not done. {}", name(), why);
			this.said = why;
		}
		// If the request cannot show it, health does.
		this.transactions.write(() -> {
			this.requests.lock(name())
				.filter((each) -> isServed(each.what().action()))
				.ifPresent((request) -> note(request, temporary, why));
			return true;
		});
	}

	/** Whether this class does such requests. */
	public static boolean isServed(Action action) {
		return action == Action.REBUILD_BESIDE || action == Action.RETIRE;
	}

	private void note(ProjectionRequest request, boolean temporary, String why) {
		if (temporary) {
			this.outcomes.waits(request, why + " It is tried again.");
		}
		else {
			this.outcomes.refuse(request, why);
		}
	}

	/**
	 * Deletes the leases, claims and letters of generations that are not filled or fed
	 * any more, for a short time. The next calls delete the rest.
	 */
	public void sweep() {
		long begun = System.nanoTime();
		this.rowsLeft = true;
		this.transactions.write(() -> {
			this.removal.sweepLeases();
			return true;
		});
		do {
			this.rowsLeft = this.transactions.write(this.removal::sweepSome) > 0;
		}
		while (this.rowsLeft && System.nanoTime() - begun < SWEEP.toNanos());
	}

	/** Whether the last {@link #sweep} may have left some rows. */
	public boolean hasRowsLeft() {
		return this.rowsLeft;
	}

	private ProjectorId id() {
		return this.endpoint.id();
	}

	private String name() {
		return this.endpoint.name();
	}

}
