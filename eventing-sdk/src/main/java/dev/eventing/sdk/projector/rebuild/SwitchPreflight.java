package dev.eventing.sdk.projector.rebuild;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import dev.eventing.sdk.jdbc.DatabaseFailure;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.ledger.Beside;
import dev.eventing.sdk.projection.ledger.GenerationLedger;
import dev.eventing.sdk.projection.ledger.LiveSchemas;
import dev.eventing.sdk.projection.ledger.RequestLedger;
import dev.eventing.sdk.projection.ledger.SwitchObstacles;
import dev.eventing.sdk.projection.tables.ReadModelTables;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.StateForm;
import dev.eventing.sdk.projector.failure.FailureClassifier;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import dev.eventing.sdk.schema.TableGuard;
import dev.eventing.sdk.schema.UnsafeTablesException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The checks before the live generation is held for a switch, while events are still
 * applied. For one thread.
 */
final class SwitchPreflight {

	private static final Logger logger = LoggerFactory.getLogger(SwitchPreflight.class);

	private final ProjectorEndpoint endpoint;

	private final int generation;

	private final GenerationLedger generations;

	private final LiveSchemas schemas;

	private final ReadModelTables tables;

	private final TableGuard guard;

	private final SwitchObstacles obstacles;

	private final RightsCheck rights;

	/** Sends no query yet. */
	SwitchPreflight(ProjectorEndpoint endpoint, ProjectorServices services, int generation) {
		JdbcTemplate jdbc = new JdbcTemplate(services.dataSource());
		this.endpoint = endpoint;
		this.generation = generation;
		this.generations = new GenerationLedger(jdbc, services.schema(), endpoint.id());
		this.schemas = new LiveSchemas(jdbc, services.schema(), endpoint.id());
		this.tables = new ReadModelTables(jdbc);
		this.guard = services.tableGuard();
		this.obstacles = new SwitchObstacles(jdbc, services.schema(), endpoint.id());
		this.rights = new RightsCheck(jdbc, new RequestLedger(jdbc, services.schema()));
	}

	/**
	 * Returns why the switch cannot be made, or empty. Runs in the caller's transaction.
	 */
	Optional<String> refusal(ProjectionRequest request) {
		try {
			this.guard.require();
		}
		catch (UnsafeTablesException ex) {
			return Optional.of(String.valueOf(ex.getMessage()));
		}
		Optional<Beside> found = this.generations.lockBeside();
		if (found.isEmpty() || found.get().status() == ProjectionGeneration.Status.BUILDING) {
			return Optional.of("Generation " + this.generation + " has not met the end of its source yet.");
		}
		Beside beside = found.get();
		if (beside.status() == ProjectionGeneration.Status.PAST) {
			return Optional.of(beside.past());
		}
		if (!beside.status().isFed()) {
			return Optional
				.of("Generation " + this.generation + " is " + beside.status() + ". Retire it, and build another.");
		}
		if (!Set.copyOf(beside.tables()).equals(declared())) {
			return Optional.of("The code declares other tables now. Retire the generation, and build another.");
		}
		Optional<String> refusal = handlesSomethingElse().or(() -> missingEvents(beside));
		return declared().isEmpty() ? refusal
				: refusal.or(this::obstacles).or(() -> otherTables(beside, request)).or(this::noPlace);
	}

	/**
	 * Whether nothing stands in the way but rights of the role. Then the request says so,
	 * and waits. Runs in the caller's transaction.
	 */
	boolean waitsForRights(ProjectionRequest request) {
		return refusal(request).isEmpty() && this.rights.waitsToExchange(request, declared(),
				List.of(former(), this.generations.lockBeside().orElseThrow().schema()));
	}

	/** Where the live tables go. */
	private String former() {
		return GenerationTables
			.schema(this.endpoint.id().ofGeneration(this.generations.live().orElseThrow().generation()));
	}

	/** The live tables need a schema to go to. */
	private Optional<String> noPlace() {
		String former = former();
		return this.tables.isTaken(former) ? Optional.of("The live tables are to go to schema '" + former
				+ "', which exists already. Drop it, or give it another name.") : Optional.empty();
	}

	/** Also of tables that do not exist any more. */
	private Optional<String> obstacles() {
		List<String> obstacles = new ArrayList<>(this.generations.overlaps(declared()));
		obstacles.addAll(this.tables.obstacles(declared(), this.schemas.origin(this.generation)));
		return obstacles.isEmpty() ? Optional.empty() : Optional.of(String.join(" ", obstacles));
	}

	private Optional<String> otherTables(Beside beside, ProjectionRequest request) {
		String live = this.tables.liveSchema(declared());
		Optional<String> lost = request.what().acceptsLostColumns() ? Optional.empty()
				: this.obstacles.lostColumns(this.generation, declared(), live, beside.schema());
		return lost.or(() -> this.obstacles.differences(this.generation, declared(), live, beside.schema()));
	}

	/**
	 * Why not, if the code of the two handles different events. One of them passes events
	 * by that the other claims afterwards, and these claims are no one's.
	 */
	Optional<String> handlesSomethingElse() {
		String other = StateForm.without(this.generations.live().orElseThrow().code().definition());
		String own = ProjectorDefinition.ofEvents(this.endpoint);
		return other.equals(own) ? Optional.empty()
				: Optional.of("The code that feeds the live generation handles " + other + ". That of generation "
						+ this.generation + " handles " + own + ". Both must handle the same.");
	}

	/** Why not, if a new generation has failed where the live one has not. */
	Optional<String> missingEvents(Beside beside) {
		return (beside.status() == ProjectionGeneration.Status.READY) ? this.obstacles.missingEvents(this.generation)
				: Optional.empty();
	}

	/**
	 * Lets the planner know the tables that become live: nothing else has looked at new
	 * ones yet. A failure of it does not stand in the way.
	 */
	void analyze(FencedTransactions transactions) {
		try {
			transactions.note(() -> this.generations.lockBeside()
				.ifPresent((beside) -> this.tables.analyze(declared(), beside.schema())));
		}
		catch (DataAccessException ex) {
			if (!FailureClassifier.isTimeOut(ex)) {
				throw ex;
			}
			logger.info("The tables of generation {} of projector '{}' are not analyzed before the switch: {}.",
					this.generation, this.endpoint.name(), DatabaseFailure.describe(ex));
		}
	}

	private Set<String> declared() {
		return this.endpoint.readModel().tables();
	}

}
