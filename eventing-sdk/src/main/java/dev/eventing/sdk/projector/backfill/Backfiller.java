package dev.eventing.sdk.projector.backfill;

import java.time.Duration;
import java.util.Objects;
import java.util.TreeSet;

import dev.eventing.sdk.deadletter.ledger.RebuiltLetters;
import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.idempotency.PrunedHistory;
import dev.eventing.sdk.idempotency.PrunedHistory.Forgotten;
import dev.eventing.sdk.jdbc.BoundedDataSource;
import dev.eventing.sdk.jdbc.OpenTransactions;
import dev.eventing.sdk.projection.BackfillOptions;
import dev.eventing.sdk.projection.ProjectionAction;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.ProjectionRequest.Action;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.ledger.BackfillLedger;
import dev.eventing.sdk.projection.ledger.Backfilling;
import dev.eventing.sdk.projection.ledger.GenerationLedger;
import dev.eventing.sdk.projection.ledger.InlineLedger;
import dev.eventing.sdk.projection.ledger.InlineRow;
import dev.eventing.sdk.projection.ledger.RequestLedger;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.feed.JdbcCoverage;
import dev.eventing.sdk.projector.feed.store.JdbcCheckpoints;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import dev.eventing.sdk.projector.transaction.ProjectorLease;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Begins a backfill as operators request, on the thread of the owner and while nothing of
 * the projector runs, and finds the one that is under way. The projector may run only
 * while a request is refused or put off. One transaction begins it.
 */
public final class Backfiller {

	private static final Logger logger = LoggerFactory.getLogger(Backfiller.class);

	private static final String NAME_THE_HANDLER = " Consider naming the handler: it runs for all events, up to a last"
			+ " position.";

	private static final Duration LONGEST_READ = Duration.ofSeconds(5);

	private final ProjectorEndpoint endpoint;

	private final ProjectorServices services;

	private final BackfillLedger ledger;

	/** For reads outside of a transaction. */
	private final BackfillLedger bounded;

	private final RequestLedger requests;

	private final GenerationLedger generations;

	private final JdbcCheckpoints checkpoints;

	private final JdbcCoverage coverage;

	private final PrunedHistory history;

	private final UnhandledEvents unhandled;

	private final RebuiltLetters letters;

	private final InlineLedger inline;

	/** Sends no query yet. */
	public Backfiller(ProjectorEndpoint endpoint, ProjectorServices services) {
		JdbcTemplate jdbc = new JdbcTemplate(services.dataSource());
		this.endpoint = endpoint;
		this.services = services;
		this.ledger = new BackfillLedger(jdbc, services.schema());
		this.bounded = new BackfillLedger(new JdbcTemplate(BoundedDataSource.of(services.dataSource(), LONGEST_READ)),
				services.schema());
		this.requests = new RequestLedger(jdbc, services.schema());
		this.generations = new GenerationLedger(jdbc, services.schema(), endpoint.id());
		this.checkpoints = new JdbcCheckpoints(jdbc, services.schema(), endpoint.id());
		this.coverage = new JdbcCoverage(jdbc, services.schema(), endpoint.id());
		this.history = new PrunedHistory(jdbc, services.schema());
		this.unhandled = new UnhandledEvents(endpoint, services);
		this.letters = new RebuiltLetters(jdbc, services.schema(), endpoint.id());
		this.inline = new InlineLedger(jdbc, services.schema(), endpoint.id());
	}

	/** Whether this version of the projector has no backfills. Sends no query. */
	public boolean isRefused() {
		return refusal() != null;
	}

	private @Nullable String refusal() {
		if (this.endpoint.isInline()) {
			return "The projector is inline: appends apply its events, and cannot wait for a backfill. Consider a rebuild"
					+ " beside the live generation.";
		}
		if (!this.endpoint.readsEventStore()) {
			return "The projector reads a stream of JetStream, and a backfill reads the event store. Consider a rebuild"
					+ " beside the live generation, or source = EVENT_STORE.";
		}
		return null;
	}

	/**
	 * Returns the backfill that is under way, or null. Ends it if the code of this node
	 * has no handlers for its events any more.
	 * @throws dev.eventing.sdk.projector.failure.OwnershipLostException if this node does
	 * not own the projector
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	public @Nullable Backfill underWay(ProjectorLease lease) {
		Backfilling found = this.bounded.open(this.endpoint.id().base()).orElse(null);
		if (found == null) {
			return null;
		}
		BackfillScope scope = BackfillScope.of(this.endpoint,
				new BackfillOptions(new TreeSet<>(found.types()), found.handler(), null, null));
		String refusal = (refusal() != null) ? refusal() : scope.refusal();
		if (refusal == null) {
			logger.info("Projector '{}' continues a backfill after position {}, up to {}.", name(),
					found.place().position(), found.range().upTo());
			return new Backfill(found, scope.handlers());
		}
		String why = "The code that runs the projector now cannot go on with it. " + refusal;
		transactions(lease, true).note(() -> end(found.request(), why));
		logger.error("The backfill of projector '{}' has ended at position {}. {}", name(), found.place().position(),
				why);
		return null;
	}

	/**
	 * Does what an operator requested, if it can be done now.
	 * @param settledTo the position up to which all events are settled, and no later one
	 * is; null if that is not so
	 * @return whether no request waits any more
	 * @throws dev.eventing.sdk.projector.failure.OwnershipLostException if this node does
	 * not own the projector
	 * @throws org.springframework.dao.DataAccessException if the database does not answer
	 */
	public boolean serve(ProjectorLease lease, @Nullable Long settledTo) {
		FencedTransactions transactions = transactions(lease, settledTo != null);
		return transactions.note(() -> {
			ProjectionRequest request = this.requests.lock(name())
				.filter((each) -> each.what().action() == Action.BACKFILL && each.state().status() == Status.PENDING)
				.orElse(null);
			return request == null || serve(request, settledTo);
		});
	}

	private boolean serve(ProjectionRequest request, @Nullable Long settledTo) {
		BackfillOptions options = Objects.requireNonNull(request.what().backfill());
		BackfillScope scope = BackfillScope.of(this.endpoint, options);
		String refusal = (refusal() != null) ? refusal() : scope.refusal();
		if (refusal == null && this.generations.all().stream().anyMatch((each) -> each.status().isBeside())) {
			refusal = "A generation stands beside the live one. Retire it first.";
		}
		if (refusal == null) {
			refusal = unknown(options, scope);
		}
		if (refusal != null) {
			end(request.id(), refusal);
			logger.error("The backfill of projector '{}' is not begun. {}", name(), refusal);
			return true;
		}
		if (settledTo == null) {
			return waits(request,
					"Not all events are settled that the projector has met: a handler runs, an event waits,"
							+ " or the projector is paused since its start.");
		}
		if (this.checkpoints.find().filter((row) -> row.position() == settledTo).isEmpty()
				|| this.coverage.isCatchingUp(EventPlace.EVENT_STORE)) {
			return waits(request, "The projector is catching up with new handlers, or its position is not saved.");
		}
		begin(request, options, scope, settledTo);
		return true;
	}

	private void begin(ProjectionRequest request, BackfillOptions options, BackfillScope scope, long settledTo) {
		long from = this.checkpoints.beginning();
		Long to = options.to();
		long upTo = Math.max(from, (to != null) ? Math.min(to, settledTo) : settledTo);
		String text = "Events of " + String.join(", ", scope.types()) + " are applied, from position " + (from + 1)
				+ " to " + upTo + ".";
		this.ledger.begin(name(),
				new Backfilling(request.id(), scope.types(), options.handler(),
						new Backfilling.Range(from, upTo, settledTo), new Backfilling.Place(from, from, 0),
						options.rate(), this.services.clock().instant()),
				text);
		this.generations.audit(null, request.by().actor(), ProjectionAction.BACKFILL_BEGUN, request.by().reason(),
				text);
		logger.info("Projector '{}' begins a backfill, requested by {}. {} Later events of these types wait for it.",
				name(), request.by().actor(), text);
	}

	/** Why the order, or what is applied, would not be that of the events; or null. */
	private @Nullable String unknown(BackfillOptions options, BackfillScope scope) {
		long open = this.letters.open(scope.types().toArray(String[]::new));
		if (open > 0) {
			return open
					+ " dead letters of these types are open. Letters are redriven in the order in which they failed,"
					+ " so earlier events would come after them. Consider redriving or discarding them first.";
		}
		return (options.handler() == null) ? unclaimed(options, scope) : null;
	}

	/**
	 * Why it is unknown which events the projector has applied, or null: appends claim
	 * nothing; or claims were pruned, and handlers may have taken some.
	 */
	private @Nullable String unclaimed(BackfillOptions options, BackfillScope scope) {
		Long from = this.inline.find().map(InlineRow::from).orElse(null);
		return (from == null) ? pruned(options, scope)
				: "The projector was inline: appends have applied events after position " + from
						+ " without rows of processed_events, so nobody knows which." + NAME_THE_HANDLER;
	}

	private @Nullable String pruned(BackfillOptions options, BackfillScope scope) {
		long after = this.checkpoints.beginning();
		Forgotten forgotten = this.history.of(this.endpoint.id())
			.filter((each) -> this.services.store().log().recordedBehind(after).filter(each::includes).isPresent())
			.orElse(null);
		if (forgotten == null) {
			return null;
		}
		Long to = options.to();
		String doubt = this.unhandled.doubt(scope.types(), after, (to != null) ? to : Long.MAX_VALUE, forgotten);
		return (doubt == null) ? null : "Rows of processed_events for events before " + forgotten.before()
				+ " are pruned, so nobody knows which of them the projector has applied. " + doubt + NAME_THE_HANDLER;
	}

	private boolean waits(ProjectionRequest request, String why) {
		this.requests.waits(request.id(), why + " It is tried again.");
		logger.info("The backfill of projector '{}' is not begun yet. {}", name(), why);
		return false;
	}

	private void end(long request, String why) {
		if (this.requests.end(request, Status.FAILED, why)) {
			this.generations.audit(null, this.endpoint.id().actor(), ProjectionAction.BACKFILL_FAILED, null, why);
		}
	}

	private FencedTransactions transactions(ProjectorLease lease, boolean isAtRest) {
		OpenTransactions open = new OpenTransactions(this.services.dataSource(), this.services.jdbc().handlerTimeout());
		if (isAtRest) { // else the transactions of the projector are to be aborted
			lease.onSilence(open::abort);
		}
		return FencedTransactions.withoutHandlers(this.endpoint, this.services, lease, open);
	}

	private String name() {
		return this.endpoint.name();
	}

}
