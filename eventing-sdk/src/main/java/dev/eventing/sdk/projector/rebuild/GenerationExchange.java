package dev.eventing.sdk.projector.rebuild;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.eventing.sdk.deadletter.ledger.RebuiltLetters;
import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.idempotency.ClaimDifferences;
import dev.eventing.sdk.projection.ProjectionAction;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.ledger.Beside;
import dev.eventing.sdk.projection.ledger.EffectLedger;
import dev.eventing.sdk.projection.ledger.FillingLedger;
import dev.eventing.sdk.projection.ledger.GenerationLedger;
import dev.eventing.sdk.projection.ledger.GenerationLedger.Standby;
import dev.eventing.sdk.projection.ledger.LiveSchemas;
import dev.eventing.sdk.projection.ledger.RequestLedger;
import dev.eventing.sdk.projection.ledger.SourceStream;
import dev.eventing.sdk.projection.ledger.SwitchLedger;
import dev.eventing.sdk.projection.ledger.SwitchLedger.Held;
import dev.eventing.sdk.projection.tables.ExchangeWay;
import dev.eventing.sdk.projection.tables.ReadModelTables;
import dev.eventing.sdk.projection.tables.TableOrigin;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.feed.JdbcCoverage;
import dev.eventing.sdk.projector.feed.store.JdbcCheckpoints;
import dev.eventing.sdk.projector.transaction.FillingClaims;
import dev.eventing.sdk.projector.transaction.JdbcAttempts;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The transaction of a switch. First it exchanges everything that says which events the
 * two generations show, and the tables last: readers wait for the changes of the catalog
 * and the commit alone. For one thread.
 */
final class GenerationExchange {

	private static final Logger logger = LoggerFactory.getLogger(GenerationExchange.class);

	/** For all but the live tables. No reader waits behind these locks. */
	private static final String LOCK_TIMEOUT = "set local lock_timeout = '300ms'";

	/**
	 * Readers wait for the tables meanwhile. If this node is frozen or cut off, the
	 * server ends the transaction.
	 */
	private static final String IDLE_TIMEOUT = "set local idle_in_transaction_session_timeout = '3s'";

	/**
	 * How long a try waits for the live tables. Readers that come later wait behind it.
	 */
	private static final Duration LIVE_TABLES = Duration.ofMillis(50);

	private final ProjectorEndpoint endpoint;

	private final ProjectorServices services;

	private final int generation;

	private final SwitchPreflight preflight;

	private final JdbcTemplate jdbc;

	private final RequestOutcomes outcomes;

	private final SwitchLedger switches;

	private final GenerationLedger generations;

	private final FillingLedger fillings;

	private final ReadModelTables tables;

	/** Sends no query yet. */
	GenerationExchange(ProjectorEndpoint endpoint, ProjectorServices services, int generation,
			SwitchPreflight preflight) {
		this.endpoint = endpoint;
		this.services = services;
		this.generation = generation;
		this.preflight = preflight;
		this.jdbc = new JdbcTemplate(services.dataSource());
		this.switches = new SwitchLedger(this.jdbc, services.schema());
		this.generations = new GenerationLedger(this.jdbc, services.schema(), endpoint.id());
		this.fillings = new FillingLedger(this.jdbc, services.schema(), endpoint.id());
		this.outcomes = new RequestOutcomes(endpoint.id(), new RequestLedger(this.jdbc, services.schema()),
				this.generations);
		this.tables = new ReadModelTables(this.jdbc);
	}

	/**
	 * Returns why not, or empty. Runs in the caller's transaction, which ends with it.
	 */
	Optional<String> exchange(ProjectionRequest request, Held held) {
		this.jdbc.execute(LOCK_TIMEOUT);
		this.jdbc.execute(IDLE_TIMEOUT);
		if (!this.switches.keepHeld(request.id(), held, id().lease())) {
			return Optional.of("The live generation is not held any more.");
		}
		SourceStream stream = this.fillings.streamOf(this.generation).orElse(null);
		if (coverage(id()).isCatchingUp(placeOf(stream))) {
			return Optional.of("The live generation is catching up with new handlers.");
		}
		Beside next = this.generations.lockBeside().orElseThrow();
		// Its owner may have changed; and it may have met events up to the held position.
		Optional<String> gap = this.preflight.handlesSomethingElse().or(() -> this.preflight.missingEvents(next));
		if (gap.isPresent()) {
			return gap;
		}
		int live = this.generations.live().orElseThrow().generation();
		return declared().isEmpty() ? exchangeRows(request, live, stream, held.position())
				: exchangeTables(request, live, stream, next.schema(), held.position());
	}

	/** The tables change places. */
	private Optional<String> exchangeTables(ProjectionRequest request, int live, @Nullable SourceStream stream,
			String nextSchema, long at) {
		String formerSchema = GenerationTables.schema(id().ofGeneration(live));
		String liveSchema = this.tables.liveSchema(declared());
		ExchangeWay way = this.tables.way(declared(), liveSchema, nextSchema, formerSchema);
		TableOrigin origin = new LiveSchemas(this.jdbc, this.services.schema(), id()).origin(this.generation);
		exchangeRecords(live, stream, liveSchema, formerSchema, at);
		String done = "Generation " + this.generation + " is live from position " + at + " on. Generation " + live
				+ " is kept and fed in the schema " + formerSchema + ". " + way.words();
		done(request, done);
		if (way == ExchangeWay.SCHEMAS) {
			this.tables.exchangeSchemas(declared(), liveSchema, nextSchema, formerSchema);
		}
		else {
			this.tables.exchange(declared(), liveSchema, nextSchema, formerSchema, LIVE_TABLES);
		}
		this.tables.requireNothingLost(declared(), formerSchema, liveSchema, request.what().acceptsLostColumns(),
				origin);
		tell(request, done);
		return Optional.empty();
	}

	private void done(ProjectionRequest request, String done) {
		this.outcomes.done(request, this.generation, ProjectionAction.SWITCHED, done);
		this.generations.switched(this.generation);
	}

	private void tell(ProjectionRequest request, String done) {
		logger.info("The read model of projector '{}' is switched, requested by {}. {}", name(), request.by().actor(),
				done);
	}

	/** Rows carry their generation: readers follow the records. */
	private Optional<String> exchangeRows(ProjectionRequest request, int live, @Nullable SourceStream stream, long at) {
		exchangeRecords(live, stream, null, GenerationTables.schema(id().ofGeneration(live)), at);
		String done = "Generation " + this.generation + " is live from position " + at + " on. Generation " + live
				+ " is kept and fed.";
		done(request, done);
		tell(request, done);
		return Optional.empty();
	}

	private void exchangeRecords(int live, @Nullable SourceStream stream, @Nullable String liveSchema,
			String formerSchema, long at) {
		String place = placeOf(stream);
		ProjectorId former = id().ofGeneration(live);
		ProjectorId becoming = id().ofGeneration(this.generation);
		this.generations.exchange(this.generation,
				new Standby(live, formerSchema, declared(), this.endpoint.setting(ProjectorSettings::concurrency)), at);
		if (liveSchema != null) {
			new LiveSchemas(this.jdbc, this.services.schema(), id()).note(liveSchema);
		}
		new EffectLedger(this.jdbc, this.services.schema(), id()).exchange(becoming, stream);
		exchangeLetters(former, becoming, stream != null);
		new ClaimDifferences(this.jdbc, this.services.schema(), becoming).exchange(former);
		if (stream == null) { // else the durable stays where it is
			checkpoints(id()).moveTo(at);
		}
		checkpoints(former).begin(at);
		checkpoints(becoming).forget();
		coverage(id()).copyTo(coverage(former), place);
		coverage(becoming).copyTo(coverage(id()), place);
		coverage(becoming).forget(place);
		List.of(id(), becoming)
			.forEach((each) -> new JdbcAttempts(this.jdbc, this.services.schema(), each).forgetAll());
	}

	/**
	 * A stream may have an event again that has a letter in the next generation. The
	 * former one is fed on, and would apply it twice, since its claim goes with the
	 * letter.
	 */
	private void exchangeLetters(ProjectorId former, ProjectorId becoming, boolean ofStream) {
		RebuiltLetters letters = new RebuiltLetters(this.jdbc, this.services.schema(), id());
		MendedClaims mended = new MendedClaims(this.jdbc, this.services.schema(), id());
		mended.note(becoming);
		if (ofStream) {
			FillingClaims.keepAppliedBut(this.jdbc, this.services.schema(), former, becoming);
		}
		letters.exchange(former, becoming);
		mended.exchange(former, becoming);
	}

	private static String placeOf(@Nullable SourceStream stream) {
		return (stream != null) ? stream.stream() : EventPlace.EVENT_STORE;
	}

	private JdbcCheckpoints checkpoints(ProjectorId projector) {
		return new JdbcCheckpoints(this.jdbc, this.services.schema(), projector);
	}

	private JdbcCoverage coverage(ProjectorId projector) {
		return new JdbcCoverage(this.jdbc, this.services.schema(), projector);
	}

	private Set<String> declared() {
		return this.endpoint.readModel().tables();
	}

	private ProjectorId id() {
		return this.endpoint.id();
	}

	private String name() {
		return this.endpoint.name();
	}

}
