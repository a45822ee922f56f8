package dev.eventing.sdk.projector.rebuild;

import java.util.List;
import java.util.Optional;

import dev.eventing.sdk.deadletter.ledger.RebuiltLetters;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.idempotency.ClaimDifferences;
import dev.eventing.sdk.projection.ProjectionAction;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.ledger.Beside;
import dev.eventing.sdk.projection.ledger.EffectLedger;
import dev.eventing.sdk.projection.ledger.FillingLedger;
import dev.eventing.sdk.projection.ledger.GenerationLedger;
import dev.eventing.sdk.projection.ledger.RequestLedger;
import dev.eventing.sdk.projection.tables.ReadModelTables;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.feed.JdbcCoverage;
import dev.eventing.sdk.projector.feed.store.JdbcCheckpoints;
import dev.eventing.sdk.projector.transaction.FillingClaims;
import dev.eventing.sdk.projector.transaction.JdbcAttempts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Drops a generation beside the live one, and deletes what generations have left. Every
 * method runs in the caller's transaction.
 */
final class GenerationRemoval {

	private static final Logger logger = LoggerFactory.getLogger(GenerationRemoval.class);

	private final ProjectorEndpoint endpoint;

	private final ProjectorServices services;

	private final JdbcTemplate jdbc;

	private final GenerationLedger generations;

	private final FillingLedger fillings;

	private final RequestOutcomes outcomes;

	private final ReadModelTables tables;

	private final RightsCheck rights;

	/** Sends no query yet. */
	GenerationRemoval(ProjectorEndpoint endpoint, ProjectorServices services, JdbcTemplate jdbc) {
		this.endpoint = endpoint;
		this.services = services;
		this.jdbc = jdbc;
		RequestLedger requests = new RequestLedger(jdbc, services.schema());
		this.generations = new GenerationLedger(jdbc, services.schema(), endpoint.id());
		this.fillings = new FillingLedger(jdbc, services.schema(), endpoint.id());
		this.outcomes = new RequestOutcomes(endpoint.id(), requests, this.generations);
		this.tables = new ReadModelTables(jdbc);
		this.rights = new RightsCheck(jdbc, requests);
	}

	/** Drops the generation, or records why not. */
	void retire(ProjectionRequest request) {
		Integer number = request.what().generation();
		Optional<Beside> found = this.generations.lockBeside()
			.filter((beside) -> number != null && beside.generation() == number);
		if (found.isEmpty()) {
			this.outcomes.refuse(request, "Generation " + number + " does not stand beside the live one.");
			return;
		}
		Beside beside = found.get();
		if (this.rights.waitsToDrop(request, beside.tables(), beside.schema())) {
			return;
		}
		ProjectorId id = id().ofGeneration(beside.generation());
		this.services.leases().remove(id.lease(), this.jdbc);
		this.tables.drop(beside.schema(), beside.tables());
		new JdbcAttempts(this.jdbc, this.services.schema(), id).forgetAll();
		new JdbcCoverage(this.jdbc, this.services.schema(), id).forgetAll();
		new JdbcCheckpoints(this.jdbc, this.services.schema(), id).forget();
		this.generations.retire(beside.generation());
		sweepRetired();
		String done = "Generation " + number + " and its schema " + beside.schema() + " are dropped.";
		this.outcomes.done(request, beside.generation(), ProjectionAction.RETIRED, done);
		logger.info("{} Requested by {} for the read model of projector '{}'.", done, request.by().actor(),
				this.endpoint.name());
	}

	/**
	 * Deletes leases of generations that are not fed. A node may have taken one after
	 * another node had dropped the generation.
	 */
	void sweepLeases() {
		for (String lease : this.services.leases().startingWith(id().generationLeases(), this.jdbc)) {
			if (ProjectorId.ofLease(lease)
				.filter((each) -> this.fillings.fed(each.generation()).isEmpty())
				.isPresent()) {
				this.services.leases().remove(lease, this.jdbc);
			}
		}
	}

	/**
	 * Deletes some claims and letters of generations that are not filled or fed any more.
	 * @return the number of deleted rows; 0 if none is left
	 */
	int sweepSome() {
		return sweepRetired() + FillingClaims.sweep(this.jdbc, this.services.schema(), id());
	}

	/** A generation may leave more letters than one statement can delete in its time. */
	private int sweepRetired() {
		List<ProjectorId> gone = this.generations.all()
			.stream()
			.filter((each) -> each.status() == ProjectionGeneration.Status.RETIRED)
			.map((each) -> id().ofGeneration(each.generation()))
			.toList();
		return RebuiltLetters.sweep(this.jdbc, this.services.schema(), gone)
				+ ClaimDifferences.sweep(this.jdbc, this.services.schema(), gone)
				+ new EffectLedger(this.jdbc, this.services.schema(), id()).sweep(gone)
				+ this.endpoint.readModel().sweep(this.jdbc, gone);
	}

	private ProjectorId id() {
		return this.endpoint.id();
	}

}
