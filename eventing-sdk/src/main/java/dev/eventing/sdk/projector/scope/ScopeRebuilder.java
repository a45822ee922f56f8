package dev.eventing.sdk.projector.scope;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

import dev.eventing.sdk.deadletter.ledger.ScopeLetters.InStream;
import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.jdbc.OpenTransactions;
import dev.eventing.sdk.projection.ProjectionAction;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.ProjectionRequest.Action;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.RebuildScope;
import dev.eventing.sdk.projection.RequestRefusedException;
import dev.eventing.sdk.projection.ScopedRebuild;
import dev.eventing.sdk.projection.ledger.GenerationLedger;
import dev.eventing.sdk.projection.ledger.RequestLedger;
import dev.eventing.sdk.projection.ledger.ScopedStreams;
import dev.eventing.sdk.projector.DeliverPolicy;
import dev.eventing.sdk.projector.NewHandlersPolicy;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorOptions;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.failure.FailureClassifier;
import dev.eventing.sdk.projector.failure.FailureText;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import dev.eventing.sdk.projector.feed.JdbcCoverage;
import dev.eventing.sdk.projector.feed.store.JdbcCheckpoints;
import dev.eventing.sdk.projector.scope.ScopeFold.Folded;
import dev.eventing.sdk.projector.scope.ScopeFold.Limits;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import dev.eventing.sdk.projector.transaction.HandlerFailedException;
import dev.eventing.sdk.projector.transaction.ProjectorLease;
import dev.eventing.sdk.schema.ErasureLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Rebuilds a part of a projector's live read model, on the thread of the owner and while
 * nothing of the projector runs. The projector may run only while a request is refused or
 * put off. A part is one transaction, or one for each stream: a crash leaves it as it
 * was, and the request still waits for an owner.
 */
public final class ScopeRebuilder {

	private static final Logger logger = LoggerFactory.getLogger(ScopeRebuilder.class);

	private final ProjectorEndpoint endpoint;

	private final ProjectorServices services;

	private final JdbcTemplate jdbc;

	private final GenerationLedger generations;

	private final RequestLedger requests;

	private final JdbcCheckpoints checkpoints;

	private final JdbcCoverage coverage;

	private final ScopeFold fold;

	private final FailureText texts;

	private final ErasureLock erasures;

	/**
	 * When it last made progress, by {@link System#nanoTime}; null while it does not run.
	 */
	private volatile @Nullable Long progressAt;

	/** Sends no query yet. */
	public ScopeRebuilder(ProjectorEndpoint endpoint, ProjectorServices services, FailureText texts) {
		this.texts = texts;
		this.endpoint = endpoint;
		this.services = services;
		this.jdbc = new JdbcTemplate(services.dataSource());
		this.generations = new GenerationLedger(this.jdbc, services.schema(), endpoint.id());
		this.requests = new RequestLedger(this.jdbc, services.schema());
		this.checkpoints = new JdbcCheckpoints(this.jdbc, services.schema(), endpoint.id());
		this.coverage = new JdbcCoverage(this.jdbc, services.schema(), endpoint.id());
		this.fold = new ScopeFold(endpoint, services);
		this.erasures = new ErasureLock(services.schema());
	}

	/**
	 * Whether no part of this projector's read model can be rebuilt. Sends no query.
	 */
	public boolean isRefused() {
		return refusal() != null;
	}

	/** The time since it last made progress; null while it does nothing. */
	public @Nullable Duration sinceProgress() {
		Long at = this.progressAt;
		return (at != null) ? Duration.ofNanos(System.nanoTime() - at) : null;
	}

	/**
	 * Does what an operator requested, if it can be done now.
	 * @param settledTo the position up to which all events are settled, and no later one
	 * is; null if that is not so
	 * @param stops whether this node stops the projector
	 * @return whether no request waits any more
	 * @throws OwnershipLostException if this node does not own the projector
	 * @throws DataAccessException if the database does not answer
	 */
	public boolean serve(ProjectorLease lease, @Nullable Long settledTo, BooleanSupplier stops) {
		FencedTransactions notes = notes(lease);
		ProjectionRequest request = notes.note(() -> this.requests.lock(name()))
			.filter((each) -> each.what().action() == Action.REBUILD_SCOPE)
			.orElse(null);
		ScopedRebuild part = (request != null) ? request.what().part() : null;
		return request == null || part == null || serve(new Serving(lease, notes, request, part, stops), settledTo);
	}

	private boolean serve(Serving serving, @Nullable Long settledTo) {
		String refusal = refusal();
		if (refusal != null) {
			return fail(serving, refusal);
		}
		List<Portion> portions;
		try {
			portions = serving.notes().note(() -> portions(serving.part().scope()));
			portions.forEach((each) -> new PortionRows(this.endpoint.readModel(), each, this.jdbc));
		}
		catch (RequestRefusedException ex) {
			return fail(serving, String.valueOf(ex.getMessage()));
		}
		if (settledTo == null) {
			return waits(serving,
					"Not all events are settled that the projector has met: a handler runs, an event waits,"
							+ " or the projector is paused since its start.");
		}
		if (!serving.notes().note(() -> isSettled(settledTo))) {
			return waits(serving, "The projector is catching up with new handlers, or its position is not saved.");
		}
		this.progressAt = System.nanoTime();
		try {
			long beganAfter = serving.notes().note(this.checkpoints::beginning);
			return rebuild(serving, portions, new Limits(beganAfter, settledTo, serving.part().mostEvents()));
		}
		finally {
			this.progressAt = null;
		}
	}

	private boolean isSettled(long settledTo) {
		return this.checkpoints.find().filter((row) -> row.position() == settledTo).isPresent()
				&& !this.coverage.isCatchingUp(EventPlace.EVENT_STORE);
	}

	private List<Portion> portions(RebuildScope scope) {
		List<Portion> portions = new ArrayList<>();
		if (scope instanceof RebuildScope.OfTenant of) {
			portions.add(new Portion(scope.describe(), of.tenant(), null, null, null));
		}
		else if (scope instanceof RebuildScope.Window window) {
			if (window.tenant() == null && this.endpoint.options().hasOneTenant()) {
				throw new RequestRefusedException(
						"Each transaction of the projector has one tenant, and a window has all."
								+ " Consider one request for each tenant.");
			}
			portions.add(new Portion(scope.describe(), window.tenant(), null, window.from(), window.to()));
		}
		for (InStream each : new ScopedStreams(this.jdbc, this.services.schema(), this.endpoint.id()).of(scope)) {
			portions.add(new Portion("stream '" + each.stream() + "' of tenant '" + each.tenant() + "'", each.tenant(),
					each.stream(), null, null));
		}
		return portions;
	}

	private @Nullable String refusal() {
		ProjectorOptions options = this.endpoint.options();
		if (!this.endpoint.readsEventStore()) {
			return "The projector reads JetStream, which may have events that are not in the event store. Consider"
					+ " source = EVENT_STORE, or a rebuild of all of the read model.";
		}
		if (options.get(ProjectorSettings::deliverPolicy) == DeliverPolicy.NEW
				|| options.get(ProjectorSettings::newHandlers) == NewHandlersPolicy.FROM_NOW) {
			return "The projector does not handle all events from the first one (deliverPolicy = NEW, or newHandlers ="
					+ " FROM_NOW), so a part would show others than it has now.";
		}
		if (!this.endpoint.readModel().isOfTablesAlone()) {
			return "The projector does not declare all that it writes to as tables, so no part of it can be emptied alone."
					+ " Consider @Projector(tables = ..., rows = ...) without @ProjectionReset.";
		}
		return null;
	}

	private boolean rebuild(Serving serving, List<Portion> portions, Limits limits) {
		List<Folded> done = new ArrayList<>();
		try {
			for (Portion each : portions) {
				boolean isLast = done.size() == portions.size() - 1;
				done.add(this.fold.fold(serving.lease(), each, limits, progress(serving, each, done, portions),
						(folded) -> record(serving, each, folded, isLast ? describe(done, folded, portions) : null)));
				logger.info("Projector '{}' has rebuilt a part of its read model, requested by {}: {}", name(),
						serving.request().by().actor(), describe(each, done.get(done.size() - 1)));
			}
			return true;
		}
		catch (OwnershipLostException ex) {
			throw ex;
		}
		catch (ScopeEndedException ex) {
			logger.info("The rebuild of a part of the read model of projector '{}' ends{}. {}", name(),
					soFar(done, portions), ex.getMessage());
			return ex.isOver();
		}
		catch (RuntimeException ex) { // of the application's handlers, too
			logger.debug("A part of the read model of projector '{}' is not rebuilt.", name(), ex);
			String why = describe(FailureClassifier.original(ex)) + soFar(done, portions);
			return FailureClassifier.isTemporary(ex, HandlerFailedException.errorOf(ex)) ? waits(serving, why)
					: fail(serving, why);
		}
	}

	private ScopeFold.Progress progress(Serving serving, Portion portion, List<Folded> done, List<Portion> portions) {
		return new ScopeFold.Progress() {

			@Override
			public void begun(long erasure) {
				serving.begun(erasure);
			}

			@Override
			public void done(int events, int all) {
				alive();
				requireGoingOn(serving);
				if (serving.tells()) {
					String now = (all == 0) ? "Looking for the events of " + portion.description() + "."
							: events + " of " + all + " events of " + portion.description() + " are applied again"
									+ soFar(done, portions);
					serving.notes().note(() -> ScopeRebuilder.this.requests.waits(serving.request().id(), now));
				}
			}

			@Override
			public void alive() {
				ScopeRebuilder.this.progressAt = System.nanoTime();
			}

		};
	}

	private void requireGoingOn(Serving serving) {
		if (serving.stops().getAsBoolean() || serving.lease().isOver()) {
			throw ScopeEndedException.ofNode();
		}
		if (!this.requests.isPending(serving.request().id())) {
			throw ScopeEndedException.ofRequest();
		}
	}

	/** In the transaction that rebuilds a portion. */
	private void record(Serving serving, Portion portion, Folded folded, @Nullable String all) {
		ProjectionRequest request = serving.request();
		boolean open = (all != null) ? this.requests.end(request.id(), Status.DONE, all)
				: this.requests.isPending(request.id());
		if (!open) {
			throw ScopeEndedException.ofRequest();
		}
		this.generations.audit(null, request.by().actor(), ProjectionAction.SCOPE_REBUILT, request.by().reason(),
				describe(portion, folded));
	}

	private static String describe(Portion portion, Folded folded) {
		return portion.description() + ": " + folded.applied() + " events are applied again, " + folded.deleted()
				+ " rows were deleted before, " + folded.letters() + " dead letters are resolved; events were found in "
				+ folded.scan().toMillis() + " ms."
				+ (folded.unread().isEmpty() ? ""
						: " Whether handlers change other rows was not checked in tables that are too large: "
								+ String.join(", ", folded.unread()) + ".");
	}

	private static String describe(List<Folded> before, Folded last, List<Portion> portions) {
		List<String> texts = new ArrayList<>();
		for (int at = 0; at < portions.size(); at++) {
			texts.add(describe(portions.get(at), (at < before.size()) ? before.get(at) : last));
		}
		return "Rebuilt " + String.join(" And ", texts);
	}

	private static String soFar(List<Folded> done, List<Portion> portions) {
		return (portions.size() > 1) ? "; " + done.size() + " of " + portions.size() + " streams are rebuilt" : "";
	}

	private String describe(Throwable ex) {
		if (ex instanceof HandlerFailedException failed) {
			String event = (failed.culprit() != null) ? " on " + failed.culprit().describe() : "";
			Throwable error = HandlerFailedException.errorOf(failed);
			return failed.getMessage() + event + ": " + this.texts.of(error);
		}
		return (ex instanceof DataAccessException) ? this.texts.of(ex) : String.valueOf(ex.getMessage());
	}

	private boolean waits(Serving serving, String why) {
		serving.notes()
			.note(() -> this.requests.waits(serving.request().id(), lasting(serving, why) + " It is tried again."));
		logger.info("A part of the read model of projector '{}' is not rebuilt yet. {}", name(), why);
		return false;
	}

	private boolean fail(Serving serving, String why) {
		serving.notes().note(() -> {
			String text = lasting(serving, why);
			if (this.requests.end(serving.request().id(), Status.FAILED, text)) {
				this.generations.audit(null, this.endpoint.id().actor(), ProjectionAction.SCOPE_FAILED, null, text);
			}
		});
		logger.error("A part of the read model of projector '{}' is not rebuilt. {}", name(), why);
		return true;
	}

	/**
	 * The text that may be stored. A reason may quote an event, and an erasure since it
	 * was read has passed the stored texts already.
	 */
	private String lasting(Serving serving, String why) {
		Long before = serving.erasure();
		return (before == null || this.erasures.share(this.jdbc) == before) ? why
				: "Contents were erased meanwhile, so the reason stands only in the log of the node.";
	}

	private FencedTransactions notes(ProjectorLease lease) {
		return FencedTransactions.withoutHandlers(this.endpoint, this.services, lease,
				new OpenTransactions(this.services.dataSource(), this.services.jdbc().handlerTimeout()));
	}

	private String name() {
		return this.endpoint.name();
	}

}
