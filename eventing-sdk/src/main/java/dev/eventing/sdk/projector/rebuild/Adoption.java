package dev.eventing.sdk.projector.rebuild;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import dev.eventing.sdk.jdbc.DatabaseFailure;
import dev.eventing.sdk.jdbc.OpenTransactions;
import dev.eventing.sdk.projection.ProjectionAction;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.ProjectionRequest.Action;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.ledger.GenerationLedger;
import dev.eventing.sdk.projection.ledger.LiveSchemas;
import dev.eventing.sdk.projection.ledger.RequestLedger;
import dev.eventing.sdk.projection.tables.ReadModelTables;
import dev.eventing.sdk.projection.tables.ReadModelTablesException;
import dev.eventing.sdk.projection.tables.TableOrigin;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.failure.FailureClassifier;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import dev.eventing.sdk.projector.transaction.ProjectorLease;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionException;

/**
 * Moves the live tables of a projector to a separate schema, on the thread of the owner
 * and while nothing of the projector runs. One transaction moves all of them.
 */
public final class Adoption {

	private static final Logger logger = LoggerFactory.getLogger(Adoption.class);

	/** Readers that come later wait behind a try. */
	private static final Duration LIVE_TABLES = Duration.ofMillis(50);

	/**
	 * Readers wait for the tables meanwhile. If this node is frozen or cut off, the
	 * server ends the transaction.
	 */
	private static final String IDLE_TIMEOUT = "set local idle_in_transaction_session_timeout = '3s'";

	/** How long events wait for tries. */
	private static final Duration BUDGET = Duration.ofSeconds(5);

	private static final long BETWEEN_TRIES_MILLIS = 150;

	private final ProjectorEndpoint endpoint;

	private final ProjectorServices services;

	private final JdbcTemplate jdbc;

	private final RequestLedger requests;

	private final GenerationLedger generations;

	private final ReadModelTables tables;

	private final RightsCheck rights;

	/** Sends no query yet. */
	public Adoption(ProjectorEndpoint endpoint, ProjectorServices services) {
		this.endpoint = endpoint;
		this.services = services;
		this.jdbc = new JdbcTemplate(services.dataSource());
		this.requests = new RequestLedger(this.jdbc, services.schema());
		this.generations = new GenerationLedger(this.jdbc, services.schema(), endpoint.id());
		this.tables = new ReadModelTables(this.jdbc);
		this.rights = new RightsCheck(this.jdbc, this.requests);
	}

	/** Whether this version of the projector has no tables to move. Sends no query. */
	public boolean isRefused() {
		return !this.endpoint.hasOneOwner() || declared().isEmpty();
	}

	/**
	 * Whether the move that an operator requested waits for rights of the role. The
	 * projector may continue meanwhile.
	 * @throws OwnershipLostException if this node does not own the projector
	 * @throws DataAccessException if the database does not answer
	 */
	public boolean waitsForRights(ProjectorLease lease) {
		return transactions(lease).note(() -> requested()
			.filter((request) -> obstacles().isEmpty()
					&& this.rights.waitsToMove(request, declared(), Objects.requireNonNull(request.what().schema())))
			.isPresent());
	}

	/** For the transaction: locks the request. */
	private Optional<ProjectionRequest> requested() {
		return this.requests.lock(name()).filter((each) -> each.what().action() == Action.ADOPT);
	}

	private List<String> obstacles() {
		return this.tables.obstacles(declared(), TableOrigin.of(this.endpoint.readModel().script() != null));
	}

	/**
	 * Does what an operator requested, if it can be done now.
	 * @param settledTo the position up to which all events are settled, and no later one
	 * is; null if that is not so
	 * @return whether no request waits any more
	 * @throws OwnershipLostException if this node does not own the projector
	 * @throws DataAccessException if the database does not answer
	 */
	public boolean serve(ProjectorLease lease, @Nullable Long settledTo) {
		FencedTransactions transactions = transactions(lease);
		ProjectionRequest request = transactions.note(this::requested).orElse(null);
		if (request == null) {
			return true;
		}
		if (isRefused()) {
			return fail(transactions, request, this.endpoint.hasOneOwner()
					? "Only tables are moved that a projector declares. Consider @Projector(tables = ...)."
					: "Only the owner of a projector moves its tables, and nodes compete for its events. Consider"
							+ " ordering = PER_KEY.");
		}
		if (settledTo == null) {
			return waits(transactions, request, "Not all events are settled that the projector has met.");
		}
		return serve(transactions, request);
	}

	private boolean serve(FencedTransactions transactions, ProjectionRequest request) {
		long end = System.nanoTime() + BUDGET.toNanos();
		String why;
		do {
			try {
				transactions.note(() -> adopt(request));
				return true;
			}
			catch (ReadModelTablesException ex) {
				return fail(transactions, request, String.valueOf(ex.getMessage()));
			}
			catch (DataAccessException | TransactionException ex) {
				why = "The tables cannot be moved now: " + DatabaseFailure.describe(ex) + ".";
				if (ex instanceof DataAccessException && !FailureClassifier.isTransient(ex)
						&& !FailureClassifier.isTimeOut(ex)) {
					return fail(transactions, request, why);
				}
			}
		}
		while (System.nanoTime() - end < 0 && Pauses.pause(BETWEEN_TRIES_MILLIS));
		String holders = transactions.look(this::holders);
		return waits(transactions, request, holders.isEmpty() ? why : "The tables are in use: " + holders + ".");
	}

	private String holders() {
		return String.join("; ", this.tables.holders(declared(), List.of(this.tables.liveSchema(declared()))));
	}

	/** The tables come last: readers wait for them until the commit. */
	private void adopt(ProjectionRequest locked) {
		ProjectionRequest request = this.requests.lock(name()).filter((each) -> each.id() == locked.id()).orElse(null);
		if (request == null) {
			return;
		}
		this.jdbc.execute(IDLE_TIMEOUT);
		String schema = Objects.requireNonNull(request.what().schema());
		List<String> refusals = obstacles();
		if (!refusals.isEmpty()) {
			throw refused(String.join(" ", refusals));
		}
		String from = this.tables.liveSchema(declared());
		if (from.equals(schema)) {
			throw refused("The tables lie in the schema " + schema + " already.");
		}
		int live = this.generations.live().orElseThrow().generation();
		new LiveSchemas(this.jdbc, this.services.schema(), this.endpoint.id()).note(schema);
		this.tables.adopt(declared(), schema, LIVE_TABLES);
		String done = "The live tables lie in the schema " + schema + " now, not in " + from + "." + readers(schema);
		this.requests.end(request.id(), Status.DONE, done);
		this.generations.audit(live, request.by().actor(), ProjectionAction.ADOPTED, request.by().reason(), done);
		logger.info("The read model of projector '{}' has a schema of its own, requested by {}. {}", name(),
				request.by().actor(), done);
	}

	private String readers(String schema) {
		List<String> readers = this.tables.readersWithout(schema, schema);
		return readers.isEmpty() ? ""
				: " Readers may not find them yet: the roles " + readers.stream().collect(Collectors.joining(", "))
						+ " have no search_path with it. Consider alter role ... set search_path = " + schema
						+ ", public for each of them.";
	}

	private static ReadModelTablesException refused(String why) {
		return new ReadModelTablesException(why);
	}

	private boolean waits(FencedTransactions transactions, ProjectionRequest request, String why) {
		transactions.note(() -> this.requests.waits(request.id(), why + " It is tried again."));
		logger.info("The tables of projector '{}' are not moved yet. {}", name(), why);
		return false;
	}

	private boolean fail(FencedTransactions transactions, ProjectionRequest request, String why) {
		transactions.note(() -> {
			if (this.requests.end(request.id(), Status.FAILED, why)) {
				this.generations.audit(null, this.endpoint.id().actor(), ProjectionAction.ADOPT_FAILED, null, why);
			}
		});
		logger.error("The tables of projector '{}' are not moved. {}", name(), why);
		return true;
	}

	private FencedTransactions transactions(ProjectorLease lease) {
		OpenTransactions open = new OpenTransactions(this.services.dataSource(), this.services.jdbc().handlerTimeout());
		return FencedTransactions.withoutHandlers(this.endpoint, this.services, lease, open);
	}

	private Set<String> declared() {
		return this.endpoint.readModel().tables();
	}

	private String name() {
		return this.endpoint.name();
	}

}
