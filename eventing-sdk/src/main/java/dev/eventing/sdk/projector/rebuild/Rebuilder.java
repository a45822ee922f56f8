package dev.eventing.sdk.projector.rebuild;

import java.time.Duration;
import java.util.stream.Collectors;

import dev.eventing.sdk.deadletter.ledger.RebuiltLetters;
import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.jdbc.BoundedDataSource;
import dev.eventing.sdk.jdbc.DatabaseFailure;
import dev.eventing.sdk.jdbc.OpenTransactions;
import dev.eventing.sdk.projection.ProjectionAction;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.ProjectionRequest.Action;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.ledger.EffectLedger;
import dev.eventing.sdk.projection.ledger.Filling;
import dev.eventing.sdk.projection.ledger.FillingLedger;
import dev.eventing.sdk.projection.ledger.GenerationLedger;
import dev.eventing.sdk.projection.ledger.RequestLedger;
import dev.eventing.sdk.projection.ledger.SourceStream;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.failure.FailureClassifier;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import dev.eventing.sdk.projector.feed.JdbcCoverage;
import dev.eventing.sdk.projector.feed.store.JdbcCheckpoints;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import dev.eventing.sdk.projector.transaction.FillingClaims;
import dev.eventing.sdk.projector.transaction.JdbcAttempts;
import dev.eventing.sdk.projector.transaction.ProjectorLease;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Begins the rebuild of a projector's read model, on the thread of the owner and while
 * nothing of the projector runs. The projector may run only while a request is refused or
 * put off. One transaction empties the read model and begins a new generation, so that a
 * crash leaves all or nothing.
 */
public final class Rebuilder {

	private static final Logger logger = LoggerFactory.getLogger(Rebuilder.class);

	/** How long emptying the tables waits for transactions that use them. */
	private static final String LOCK_TIMEOUT = "set local lock_timeout = '2s'";

	/**
	 * Readers wait for the tables meanwhile. If this node is frozen or cut off, the
	 * server ends the transaction.
	 */
	private static final String IDLE_TIMEOUT = "set local idle_in_transaction_session_timeout = '10s'";

	private static final Duration LONGEST_SWEEP = Duration.ofSeconds(2);

	private static final Duration LONGEST_READ = Duration.ofSeconds(5);

	private final ProjectorEndpoint endpoint;

	private final ProjectorServices services;

	private final JdbcTemplate jdbc;

	private final GenerationLedger generations;

	private final FillingLedger fillings;

	/** For reads outside of a transaction. */
	private final FillingLedger bounded;

	private final RequestLedger requests;

	private final RebuiltLetters letters;

	private final JdbcCheckpoints checkpoints;

	private final JdbcCoverage coverage;

	private final SourceCheck source;

	private final JdbcAttempts attempts;

	private final String definition;

	/** Sends no query yet. */
	public Rebuilder(ProjectorEndpoint endpoint, ProjectorServices services) {
		this.endpoint = endpoint;
		this.services = services;
		this.jdbc = new JdbcTemplate(services.dataSource());
		this.generations = new GenerationLedger(this.jdbc, services.schema(), endpoint.id());
		this.fillings = new FillingLedger(this.jdbc, services.schema(), endpoint.id());
		this.bounded = new FillingLedger(new JdbcTemplate(BoundedDataSource.of(services.dataSource(), LONGEST_READ)),
				services.schema(), endpoint.id());
		this.requests = new RequestLedger(this.jdbc, services.schema());
		this.letters = new RebuiltLetters(this.jdbc, services.schema(), endpoint.id());
		this.checkpoints = new JdbcCheckpoints(this.jdbc, services.schema(), endpoint.id());
		this.coverage = new JdbcCoverage(this.jdbc, services.schema(), endpoint.id());
		this.attempts = new JdbcAttempts(this.jdbc, services.schema(), endpoint.id());
		this.definition = ProjectorDefinition.of(endpoint);
		this.source = new SourceCheck(endpoint, services);
	}

	/**
	 * Returns the generation that is to be filled, or null. Begins it again if the code
	 * handles something else than the code that began it.
	 * @throws UnfinishedRebuildException if this version of the projector cannot fill it
	 * @throws OwnershipLostException if this node does not own the projector
	 * @throws DataAccessException if the database does not answer, or the read model
	 * cannot be emptied now
	 */
	public @Nullable Filling filling(ProjectorLease lease) {
		Filling found = this.bounded.filling();
		String refusal = (found != null) ? refusal() : null;
		if (refusal != null) {
			throw new UnfinishedRebuildException(this.endpoint.id(), refusal);
		}
		if (found == null) {
			sweepClaims(lease);
			return null;
		}
		if (!found.definition().equals(this.definition)) {
			beginAgain(lease, found);
			return this.bounded.filling();
		}
		return found;
	}

	/** The code handles something else than the code that began it. */
	private void beginAgain(ProjectorLease lease, Filling found) {
		SourceStream stream = found.stream();
		if ((stream == null) != this.endpoint.readsEventStore()) {
			throw new UnfinishedRebuildException(this.endpoint.id(), "The filling was begun from "
					+ ((stream != null) ? "stream '" + stream.stream() + "'" : "the event store")
					+ ", and this version reads another source. Deploy the former one until the read model is filled.");
		}
		transactions(lease, true).execute(() -> {
			clear(stream);
			forgetPlace(found);
			this.fillings.beginAgain(found.generation(), lanes(), this.definition, actor());
			return true;
		});
		logger.warn("Projector '{}' {} than when the rebuild of its read model began: generation {} is filled again.",
				name(), ProjectorDefinition.change(this.definition, found.definition()), found.generation());
	}

	/**
	 * Deletes the claims of a filling that has ended. Leaves the rest for the next time
	 * if that takes long.
	 */
	private void sweepClaims(ProjectorLease lease) {
		long end = System.nanoTime() + LONGEST_SWEEP.toNanos();
		while (!this.endpoint.readsEventStore() && System.nanoTime() - end < 0 && transactions(lease, true)
			.note(() -> FillingClaims.sweep(this.jdbc, this.services.schema(), this.endpoint.id())) > 0) {
			logger.debug("What the filling of projector '{}' has claimed is being deleted.", name());
		}
	}

	/** A filling from a stream has its own place and claims. */
	private void forgetPlace(Filling filling) {
		if (filling.stream() != null) {
			ProjectorId generation = this.endpoint.id().ofGeneration(filling.generation());
			new JdbcCheckpoints(this.jdbc, this.services.schema(), generation).forget();
			FillingClaims.forget(this.jdbc, this.services.schema(), generation);
		}
	}

	/** Whether this version of the projector cannot be rebuilt. Sends no query. */
	public boolean isRefused() {
		return refusal() != null;
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
		FencedTransactions transactions = transactions(lease, settledTo != null);
		ProjectionRequest request = transactions.note(() -> this.requests.lock(name()))
			.filter((each) -> each.what().action() == Action.REBUILD_IN_PLACE)
			.orElse(null);
		return request == null || serve(transactions, request, settledTo);
	}

	private boolean serve(FencedTransactions transactions, ProjectionRequest request, @Nullable Long settledTo) {
		String refusal = refusal();
		if (refusal != null) {
			return fail(transactions, request, refusal);
		}
		if (settledTo == null) {
			return waits(transactions, request,
					"Not all events are settled that the projector has met: a handler runs, an event waits, or the"
							+ " projector is paused since its start.");
		}
		SourceCheck.Found found = this.source.look(null);
		if (found.refusal() != null) {
			return found.isTemporary() ? waits(transactions, request, found.refusal())
					: fail(transactions, request, found.refusal());
		}
		try {
			return transactions.execute(() -> begin(request, settledTo, found));
		}
		catch (OwnershipLostException ex) {
			throw ex;
		}
		catch (RuntimeException ex) { // of the application's reset, too
			logger.debug("The read model of projector '{}' cannot be emptied.", name(), ex);
			String why = (ex instanceof DataAccessException) ? DatabaseFailure.describe(ex)
					: String.valueOf(ex.getMessage());
			return FailureClassifier.isTemporary(ex, ex)
					? waits(transactions, request, "The read model cannot be emptied now: " + why + ".")
					: fail(transactions, request, "The read model cannot be emptied: " + why + ".");
		}
	}

	private @Nullable String refusal() {
		String competing = this.source.refusal();
		if (competing != null) {
			return competing;
		}
		if (!this.endpoint.readsEventStore() && this.source.partialRefusal() != null) {
			return this.source.partialRefusal();
		}
		if (!this.endpoint.readModel().isDeclared()) {
			return "The projector does not declare what it writes to. Consider @Projector(tables = ...), or a method"
					+ " with @ProjectionReset.";
		}
		return null;
	}

	/** Begins a new generation, unless the request has ended meanwhile. */
	private boolean begin(ProjectionRequest request, long settledTo, SourceCheck.Found found) {
		if (this.requests.lock(name()).filter((locked) -> locked.id() == request.id()).isEmpty()) {
			return true;
		}
		SourceStream stream = found.stream();
		boolean settled = (stream != null) ? settledTo <= found.last()
				: this.checkpoints.find().filter((row) -> row.position() == settledTo).isPresent();
		if (!settled || this.coverage.isCatchingUp(placeOf(stream))) {
			this.requests.waits(request.id(), "The projector is catching up with new handlers, or its position is not"
					+ " saved. It is tried again.");
			return false;
		}
		new EffectLedger(this.jdbc, this.services.schema(), this.endpoint.id()).owe();
		int closed = clear(stream);
		// Positions after the last event may have been drawn for nothing.
		long upTo = (stream != null) ? settledTo : Math.min(settledTo, this.services.store().log().head());
		int generation = this.fillings.begin(lanes(), ProjectorDefinition.code(this.endpoint), upTo, stream);
		String done = "Generation " + generation + " is filled from all events up to "
				+ ((stream != null) ? "sequence " + upTo + " of stream '" + stream.stream() + "'" : "position " + upTo)
				+ "; " + closed + " open dead letters are closed.";
		new RequestOutcomes(this.endpoint.id(), this.requests, this.generations).done(request, generation,
				ProjectionAction.REBUILD_BEGUN, done);
		logger.warn("Projector '{}' rebuilds its read model, requested by {}. {} Until then readers see less than they "
				+ "saw.", name(), request.by().actor(), done);
		return true;
	}

	private boolean waits(FencedTransactions transactions, ProjectionRequest request, String why) {
		transactions.note(() -> this.requests.waits(request.id(), why + " It is tried again."));
		logger.info("The read model of projector '{}' is not rebuilt yet. {}", name(), why);
		return false;
	}

	/**
	 * Empties the read model, and forgets what the projector has done.
	 * @return the number of letters that were closed
	 */
	private int clear(@Nullable SourceStream stream) {
		empty();
		int closed = this.letters.close();
		this.attempts.forgetAll();
		if (stream != null) {
			// The durable and its saved floor stay: the projector continues there.
			this.coverage.beginLike(this.coverage, stream.stream(), this.source::isHeard);
		}
		else {
			this.coverage.forget(EventPlace.EVENT_STORE);
			this.checkpoints.moveTo(0);
			this.checkpoints.noteBeginning(0);
		}
		return closed;
	}

	private static String placeOf(@Nullable SourceStream stream) {
		return (stream != null) ? stream.stream() : EventPlace.EVENT_STORE;
	}

	private void empty() {
		this.jdbc.execute(LOCK_TIMEOUT);
		if (this.endpoint.readModel().resets().isEmpty()) {
			this.jdbc.execute(IDLE_TIMEOUT); // a reset may take its time
		}
		if (!this.endpoint.readModel().tables().isEmpty()) {
			this.jdbc.execute("truncate table "
					+ this.endpoint.readModel().tables().stream().sorted().collect(Collectors.joining(", ")));
		}
		this.endpoint.readModel().resets().forEach((reset) -> {
			try {
				reset.reset();
			}
			catch (RuntimeException ex) {
				throw ex;
			}
			catch (Exception ex) {
				throw new ReadModelResetException(this.endpoint.id(), ex);
			}
		});
	}

	private boolean fail(FencedTransactions transactions, ProjectionRequest request, String why) {
		transactions.note(() -> {
			if (this.requests.end(request.id(), Status.FAILED, why)) {
				this.generations.audit(null, actor(), ProjectionAction.REBUILD_FAILED, null, why);
			}
		});
		logger.error("The read model of projector '{}' is not rebuilt. {}", name(), why);
		return true;
	}

	private FencedTransactions transactions(ProjectorLease lease, boolean isAtRest) {
		OpenTransactions open = new OpenTransactions(this.services.dataSource(), this.services.jdbc().handlerTimeout());
		if (isAtRest) { // else the transactions of the projector are to be aborted
			lease.onSilence(open::abort);
		}
		return FencedTransactions.withoutHandlers(this.endpoint, this.services, lease, open);
	}

	private int lanes() {
		return this.endpoint.setting(ProjectorSettings::concurrency);
	}

	private String actor() {
		return this.endpoint.id().actor();
	}

	private String name() {
		return this.endpoint.name();
	}

}
