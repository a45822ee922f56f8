package dev.eventing.sdk.projection.ledger;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

import dev.eventing.sdk.deadletter.ledger.RebuiltLetters;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projection.tables.ReadModelTables;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Why a generation beside the live one cannot become live, as far as the database knows:
 * a sentence for each reason. Runs in the caller's transaction. Thread-safe.
 */
public final class SwitchObstacles {

	private final JdbcClient client;

	private final ProjectorId projector;

	private final LiveSchemas schemas;

	private final ReadModelTables tables;

	private final RebuiltLetters letters;

	private final String notReported;

	/** Sends no query yet. */
	public SwitchObstacles(JdbcTemplate jdbc, EventingSchema schema, ProjectorId projector) {
		this.client = JdbcClient.create(jdbc);
		this.projector = projector;
		this.schemas = new LiveSchemas(jdbc, schema, projector);
		this.tables = new ReadModelTables(jdbc);
		this.letters = new RebuiltLetters(jdbc, schema, projector);
		// By the primary keys.
		this.notReported = """
				select p.version from %s p
				 where p.projection_name = :projector and p.generation = :generation
				   and not exists (select from %s n
				                    where n.projector_name in (:projector, :beside) and n.version = p.version
				                      and n.state <> 'STOPPED'
				                      and n.reported_at > clock_timestamp() - interval '15 seconds')"""
			.formatted(schema.table("projections"), schema.table("projector_nodes"));
	}

	/** The reason, if no node has the version of the code that feeds the generation. */
	public Optional<String> noNode(int generation) {
		return this.client.sql(this.notReported)
			.param("projector", this.projector.base())
			.param("beside", this.projector.ofGeneration(generation).inColumn())
			.param("generation", generation)
			.query(Integer.class)
			.optional()
			.map((version) -> "No node has reported version " + version
					+ " of the projector in the last 15 s. No other version feeds generation " + generation + ".");
	}

	/** The reason, if a new generation has failed where the live one has not. */
	public Optional<String> missingEvents(int generation) {
		long missing = this.letters.missing(this.projector.ofGeneration(generation));
		return (missing > 0) ? Optional.of(missing + " events of the live generation are dead letters of generation "
				+ generation + ". Correct the handler, retire the generation, and build another.") : Optional.empty();
	}

	/**
	 * Which columns readers would lose.
	 * @param declared tables that exist in both schemas
	 * @param live the schema of the live ones
	 * @param other the schema of the others
	 */
	public Optional<String> lostColumns(int generation, Collection<String> declared, String live, String other) {
		List<String> lost = this.tables.lostColumns(declared, live, other);
		return lost.isEmpty() ? Optional.empty() : Optional.of("Readers would lose columns: in generation " + generation
				+ " " + String.join("; ", lost) + ". Consider --accept-lost-columns if no reader needs them.");
	}

	/**
	 * How else the tables of the generation differ from the live ones.
	 * @param declared tables that exist in both schemas
	 * @param live the schema of the live ones
	 * @param other the schema of the others
	 */
	public Optional<String> differences(int generation, Collection<String> declared, String live, String other) {
		List<String> differences = this.tables.differences(declared, live, other, this.schemas.origin(generation));
		return differences.isEmpty() ? Optional.empty()
				: Optional.of("The tables of generation " + generation + " are not as the live ones are: "
						+ String.join("; ", differences) + ". Retire the generation, and build another.");
	}

	/**
	 * What of its tables stands in the way of a generation beside the live one, if it is
	 * known where the live ones lie. The search path of the transaction changes.
	 */
	public Optional<String> ofTables(int generation) {
		return this.schemas.tablesOf(generation).flatMap((found) -> {
			this.tables.lookFirstIn(found.liveSchema());
			List<String> refusals = this.tables.refusals(found.names(), this.schemas.origin(generation));
			return (refusals.isEmpty() ? Optional.<String>empty() : Optional.of(String.join(" ", refusals)))
				.or(() -> lostColumns(generation, found.names(), found.liveSchema(), found.schema()))
				.or(() -> differences(generation, found.names(), found.liveSchema(), found.schema()));
		});
	}

}
