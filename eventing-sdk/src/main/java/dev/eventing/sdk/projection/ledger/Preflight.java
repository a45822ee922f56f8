package dev.eventing.sdk.projection.ledger;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projection.ProjectionRequest.Action;
import dev.eventing.sdk.projection.ProjectionRequest.What;
import dev.eventing.sdk.projection.RequestPlan;
import dev.eventing.sdk.projection.ledger.GenerationLedger.Live;
import dev.eventing.sdk.projection.tables.ReadModelTables;
import dev.eventing.sdk.projection.tables.TableOrigin;
import dev.eventing.sdk.projection.tables.TableSizes;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * What stands in the way of a request, as far as the database knows that: by the tables
 * that the live generation declares. Runs in the caller's transaction.
 */
final class Preflight {

	private final JdbcTemplate jdbc;

	private final String projector;

	private final String nodes;

	private final GenerationLedger generations;

	private final LiveSchemas schemas;

	private final ReadModelTables tables;

	private final TableSizes sizes;

	private final FreeSpace free;

	/** Sends no query yet. */
	Preflight(JdbcTemplate jdbc, EventingSchema schema, ProjectorId projector) {
		this.jdbc = jdbc;
		this.projector = projector.base();
		this.nodes = schema.table("projector_nodes");
		this.generations = new GenerationLedger(jdbc, schema, projector);
		this.schemas = new LiveSchemas(jdbc, schema, projector);
		this.tables = new ReadModelTables(jdbc);
		this.sizes = new TableSizes(jdbc);
		this.free = new FreeSpace(jdbc, schema);
	}

	/**
	 * Looks.
	 * @param known what is known to stand in the way already
	 */
	RequestPlan plan(What what, List<String> known) {
		List<String> obstacles = new ArrayList<>(known);
		Optional<Live> live = this.generations.live();
		if (live.isEmpty()) {
			if (what.action() == Action.REBUILD_BESIDE) {
				obstacles.add("No node has run the projector with its generations yet.");
			}
			return new RequestPlan(obstacles, Map.of(), null);
		}
		// Where the application has found its tables: its search path is another one.
		this.schemas.find().ifPresent(this.tables::lookFirstIn);
		List<String> declared = live.get().code().tables();
		if (what.action() == Action.REBUILD_BESIDE || what.action() == Action.SWITCH) {
			obstacles.addAll(ofTables(declared, origin(what)));
		}
		int version = live.get().code().version();
		if (what.action() == Action.REBUILD_BESIDE && !isReported(version)) {
			obstacles.add(
					"No node has reported version " + version + " of the projector, or a newer one, in the last 15 s.");
		}
		if (what.action() == Action.SWITCH && what.generation() != null && !what.acceptsLostColumns()) {
			obstacles.addAll(lostColumns(what.generation()));
		}
		RequestPlan plan = new RequestPlan(obstacles, this.sizes.of(declared), null);
		return (what.action() == Action.REBUILD_BESIDE) ? withSpace(plan) : plan;
	}

	private RequestPlan withSpace(RequestPlan plan) {
		Long free = this.free.bytes();
		List<String> obstacles = new ArrayList<>(plan.obstacles());
		String full = FreeSpace.refusal(plan.bytes(), free);
		if (full != null) {
			obstacles.add(full);
		}
		return new RequestPlan(obstacles, plan.tables(), free);
	}

	private List<String> ofTables(List<String> declared, TableOrigin origin) {
		if (declared.isEmpty()) {
			return List.of("The live generation declares no tables. Consider @Projector(tables = ...).");
		}
		List<String> found = new ArrayList<>(this.generations.overlaps(declared));
		found.addAll(this.tables.refusals(declared, origin));
		return found;
	}

	private List<String> lostColumns(int generation) {
		return this.schemas.tablesOf(generation)
			.map((found) -> this.tables.lostColumns(found.names(), found.liveSchema(), found.schema()))
			.orElse(List.of())
			.stream()
			.map((each) -> "Readers would lose a column: in generation " + generation + " " + each + ".")
			.toList();
	}

	/** How the tables of the new generation are, or were, created. */
	private TableOrigin origin(What what) {
		if (what.generation() != null) {
			return this.schemas.origin(what.generation());
		}
		// By the primary key. The newest version builds.
		return TableOrigin.of(this.jdbc.queryForList("""
				select scripted from %s where projector_name = ? and state <> 'STOPPED'
				 order by version desc limit 1""".formatted(this.nodes), Boolean.class, this.projector).contains(true));
	}

	/** Whether a node reports this version of the projector, or a newer one. */
	private boolean isReported(int version) {
		return Boolean.TRUE.equals(this.jdbc.queryForObject("""
				select exists (select from %s where projector_name = ? and version >= ? and state <> 'STOPPED'
				                  and reported_at > clock_timestamp() - interval '15 seconds')""".formatted(this.nodes),
				Boolean.class, this.projector, version));
	}

}
