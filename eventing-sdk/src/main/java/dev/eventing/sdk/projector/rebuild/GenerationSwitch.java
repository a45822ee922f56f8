package dev.eventing.sdk.projector.rebuild;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongPredicate;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.jdbc.DatabaseFailure;
import dev.eventing.sdk.jdbc.OpenTransactions;
import dev.eventing.sdk.projection.ProjectionAction;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.ProjectionRequest.Action;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.ledger.Beside;
import dev.eventing.sdk.projection.ledger.FillingLedger;
import dev.eventing.sdk.projection.ledger.GenerationLedger;
import dev.eventing.sdk.projection.ledger.RequestLedger;
import dev.eventing.sdk.projection.ledger.SourceStream;
import dev.eventing.sdk.projection.ledger.SwitchLedger;
import dev.eventing.sdk.projection.ledger.SwitchLedger.Held;
import dev.eventing.sdk.projection.tables.ReadModelTables;
import dev.eventing.sdk.projection.tables.ReadModelTablesException;
import dev.eventing.sdk.projection.tables.TablesInUseException;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.failure.FailureClassifier;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import dev.eventing.sdk.projector.transaction.ProjectorLease;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionException;

/**
 * Makes a generation the live one, on the thread of its owner and while nothing of it
 * runs. The live generation, which another node may own, is held meanwhile. Both settle
 * the same events; then one transaction exchanges the tables, and everything that says
 * which events they show. A switch that takes longer than ten seconds is given up, and
 * nothing is changed.
 */
public final class GenerationSwitch {

	private static final Logger logger = LoggerFactory.getLogger(GenerationSwitch.class);

	/** How long the live generation is held. */
	static final Duration BUDGET = Duration.ofSeconds(10);

	/** The last try begins before the live generation may continue. */
	private static final Duration LAST_TRY = Duration.ofSeconds(1);

	/** Appends meanwhile must not make the switch take long. */
	private static final Duration SHORT = Duration.ofSeconds(1);

	/** How long the switch waits for old snapshots of this server. */
	private static final Duration SNAPSHOTS = Duration.ofSeconds(2);

	private static final long LOOK_MILLIS = 50;

	private static final long BETWEEN_TRIES_MILLIS = 150;

	private final ProjectorEndpoint endpoint;

	private final ProjectorServices services;

	private final int generation;

	private final JdbcTemplate jdbc;

	private final RequestLedger requests;

	private final SwitchLedger switches;

	private final GenerationLedger generations;

	private final FillingLedger fillings;

	private final ReadModelTables tables;

	private final GenerationGate gate;

	private final SwitchPreflight preflight;

	private final GenerationExchange exchange;

	private final SourceCheck source;

	/** The request before whose switch the tables were analyzed; 0 for none. */
	private long analyzed;

	/**
	 * Sends no query yet.
	 * @param endpoint the projector, under its own name
	 * @param generation the number of the generation that becomes live
	 */
	public GenerationSwitch(ProjectorEndpoint endpoint, ProjectorServices services, int generation) {
		this.endpoint = endpoint;
		this.services = services;
		this.generation = generation;
		this.jdbc = new JdbcTemplate(services.dataSource());
		this.requests = new RequestLedger(this.jdbc, services.schema());
		this.switches = new SwitchLedger(this.jdbc, services.schema());
		this.generations = new GenerationLedger(this.jdbc, services.schema(), endpoint.id());
		this.fillings = new FillingLedger(this.jdbc, services.schema(), endpoint.id());
		this.tables = new ReadModelTables(this.jdbc);
		this.source = new SourceCheck(endpoint, services);
		this.gate = new GenerationGate(services.reconciliations(), endpoint.name(), generation);
		this.preflight = new SwitchPreflight(endpoint, services, generation);
		this.exchange = new GenerationExchange(endpoint, services, generation, this.preflight);
	}

	/**
	 * Whether the switch that an operator requested waits for rights of the role. The
	 * generation may continue meanwhile.
	 * @throws DataAccessException if the database does not answer
	 */
	public boolean waitsForRights(ProjectorLease lease) {
		return transactions(lease).note(() -> requested().filter(this.preflight::waitsForRights).isPresent());
	}

	/** For the transaction: locks the request. */
	private Optional<ProjectionRequest> requested() {
		return this.requests.lock(name())
			.filter((each) -> each.what().action() == Action.SWITCH)
			.filter((each) -> Integer.valueOf(this.generation).equals(each.what().generation()));
	}

	/**
	 * Makes the switch that an operator requested, if it can be made now.
	 * @param settledTo the position up to which all events of the generation are settled,
	 * and none after it; null if that is not so
	 * @param feed feeds the generation up to a position; returns whether it got there in
	 * time
	 * @return whether no request waits any more
	 * @throws DataAccessException if the database does not answer
	 */
	public boolean serve(ProjectorLease lease, @Nullable Long settledTo, LongPredicate feed) {
		FencedTransactions transactions = transactions(lease);
		ProjectionRequest request = transactions.note(this::requested).orElse(null);
		if (request == null) {
			return true;
		}
		if (settledTo == null) {
			transactions.note(() -> this.requests.waits(request.id(),
					"Not all events are settled that the generation has met. It is tried again."));
			return false;
		}
		return serveAtRest(transactions, request, settledTo, feed);
	}

	/**
	 * The time since a check before a switch last ran within its time limit: zero while
	 * one does. Null if none ran. For any thread.
	 */
	public @Nullable Duration sinceCheck() {
		return this.gate.sinceCheck();
	}

	private boolean serveAtRest(FencedTransactions transactions, ProjectionRequest request, long settledTo,
			LongPredicate feed) {
		String refusal = transactions.note(() -> this.preflight.refusal(request)).orElse(null);
		refusal = (refusal != null) ? refusal : sourceRefusal(transactions);
		if (refusal == null && isReady(transactions)) {
			GenerationGate.Verdict verdict = this.gate.verdict(request);
			if (verdict.isLate()) {
				transactions.note(() -> this.requests.waits(request.id(),
						"The checks have found no differences. The generation meets the events since."));
				return false;
			}
			refusal = verdict.refusal();
		}
		if (refusal != null) {
			return fail(transactions, request, refusal);
		}
		if (isAnalyzedNow(transactions, request)) {
			return serve(transactions, request, settledTo, feed);
		}
		return false;
	}

	/**
	 * Analyzes the tables once for each request.
	 * @return false if that took long: the generation is to be fed before the switch
	 */
	private boolean isAnalyzedNow(FencedTransactions transactions, ProjectionRequest request) {
		if (this.analyzed == request.id()) {
			return true;
		}
		long begun = System.nanoTime();
		this.preflight.analyze(transactions);
		this.analyzed = request.id();
		if (System.nanoTime() - begun <= SHORT.toNanos()) {
			return true;
		}
		transactions.note(() -> this.requests.waits(request.id(),
				"The tables are analyzed. The generation meets the events since."));
		return false;
	}

	/** The standby was live before: a roll back is not checked. */
	private boolean isReady(FencedTransactions transactions) {
		return transactions.note(() -> this.generations.lockBeside()
			.filter((beside) -> beside.status() == ProjectionGeneration.Status.READY)
			.isPresent());
	}

	/** Why not, because of the stream that it is fed from. */
	private @Nullable String sourceRefusal(FencedTransactions transactions) {
		SourceStream stream = transactions.note(() -> this.fillings.streamOf(this.generation)).orElse(null);
		return (stream != null) ? this.source.switchRefusal(stream, isReady(transactions)) : null;
	}

	private boolean serve(FencedTransactions transactions, ProjectionRequest request, long settledTo,
			LongPredicate feed) {
		long end = System.nanoTime() + BUDGET.toNanos();
		transactions.note(() -> this.switches.ask(request.id(), settledTo, BUDGET.toMillis()));
		Held held = awaitHeld(request, end);
		if (held == null) {
			return fail(transactions, request,
					"The live generation did not come to rest in time: it is behind, or an event waits for another"
							+ " attempt, or no node owns it.");
		}
		if (held.position() > settledTo && !feed.test(held.position())) {
			return fail(transactions, request,
					"The generation did not get to position " + held.position() + " in time.");
		}
		OldSnapshots snapshots = new OldSnapshots(this.jdbc);
		if (!awaitEnd(snapshots, end)) {
			return fail(transactions, request,
					"Readers may see less than they saw: old snapshots are held by " + snapshots.describe() + ".");
		}
		String lost = sourceRefusal(transactions);
		return (lost != null) ? fail(transactions, request, lost) : exchange(transactions, request, held, end);
	}

	private @Nullable Held awaitHeld(ProjectionRequest request, long end) {
		Optional<Held> held = this.switches.held(request.id());
		while (held.isEmpty() && System.nanoTime() - end < 0 && Pauses.pause(LOOK_MILLIS)) {
			held = this.switches.held(request.id());
		}
		return held.orElse(null);
	}

	private static boolean awaitEnd(OldSnapshots snapshots, long last) {
		long end = System.nanoTime() + SNAPSHOTS.toNanos();
		while (!snapshots.haveEnded()) {
			long now = System.nanoTime();
			boolean isOver = snapshots.areOnlyOfReplicas() ? now - last > -LAST_TRY.toNanos() : now - end > 0;
			if (isOver || !Pauses.pause(LOOK_MILLIS)) {
				return false;
			}
		}
		return true;
	}

	private boolean exchange(FencedTransactions transactions, ProjectionRequest request, Held held, long end) {
		String why;
		do {
			try {
				Optional<String> refused = transactions.note(() -> this.exchange.exchange(request, held));
				return refused.isEmpty() || fail(transactions, request, refused.get());
			}
			catch (ReadModelTablesException ex) {
				return fail(transactions, request, String.valueOf(ex.getMessage()));
			}
			catch (TablesInUseException ex) {
				why = String.valueOf(ex.getMessage());
			}
			catch (DataAccessException | TransactionException ex) {
				if (ex instanceof DataAccessException && !FailureClassifier.isTransient(ex)
						&& !FailureClassifier.isTimeOut(ex)) {
					return fail(transactions, request,
							"The tables cannot be exchanged: " + DatabaseFailure.describe(ex) + ".");
				}
				String holders = transactions.look(this::holders);
				why = holders.isEmpty() ? "The tables cannot be exchanged now: " + DatabaseFailure.describe(ex) + "."
						: "The tables are in use: " + holders + ".";
				logger.debug("The read model of projector '{}' is not switched yet. {}", name(), why);
			}
		}
		while (System.nanoTime() - end < -LAST_TRY.toNanos() && Pauses.pause(BETWEEN_TRIES_MILLIS));
		return fail(transactions, request, why);
	}

	private String holders() {
		if (declared().isEmpty()) {
			return "";
		}
		Optional<Beside> beside = this.generations.lockBeside();
		return String.join("; ", this.tables.holders(declared(),
				List.of(this.tables.liveSchema(declared()), beside.map(Beside::schema).orElse(""))));
	}

	private boolean fail(FencedTransactions transactions, ProjectionRequest request, String why) {
		boolean failed = transactions.note(() -> {
			boolean ended = this.requests.end(request.id(), Status.FAILED, why);
			if (ended) {
				this.generations.audit(this.generation, this.endpoint.id().actor(), ProjectionAction.SWITCH_FAILED,
						null, why);
			}
			return ended;
		});
		if (!failed) {
			return true; // such as after a commit whose answer was lost
		}
		logger.error("The read model of projector '{}' is not switched to generation {}. {} Everything goes on as"
				+ " before.", name(), this.generation, why);
		return true;
	}

	private FencedTransactions transactions(ProjectorLease lease) {
		OpenTransactions open = new OpenTransactions(this.services.dataSource(), this.services.jdbc().handlerTimeout());
		ProjectorId generation = this.endpoint.id().ofGeneration(this.generation);
		return FencedTransactions.withoutHandlers(this.endpoint.withId(generation), this.services, lease, open);
	}

	private Set<String> declared() {
		return this.endpoint.readModel().tables();
	}

	private String name() {
		return this.endpoint.name();
	}

}
