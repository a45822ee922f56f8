package dev.eventing.sdk.projection.ledger;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest.Action;
import dev.eventing.sdk.projection.ProjectionRequest.What;
import dev.eventing.sdk.projection.RequestPlan;
import dev.eventing.sdk.projection.ledger.GenerationLedger.Code;
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

	private static final String NO_TABLES = "The live generation declares no tables. "
			+ "Consider @Projector(tables = ...).";

	private final JdbcTemplate jdbc;

	private final String projector;

	private final String nodes;

	private final GenerationLedger generations;

	private final LiveSchemas schemas;

	private final ReadModelTables tables;

	private final TableSizes sizes;

	private final FreeSpace free;

	private final SwitchObstacles switches;

	private final ScopePreview scopes;

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
		this.switches = new SwitchObstacles(jdbc, schema, projector);
		this.scopes = new ScopePreview(jdbc, schema, projector);
	}

	/**
	 * Plans a request.
	 * @param known the obstacles that are known already
	 */
	RequestPlan plan(What what, List<String> known) {
		List<String> obstacles = new ArrayList<>(known);
		Optional<Live> live = this.generations.live();
		if (live.isEmpty()) {
			if (what.action() == Action.REBUILD_BESIDE) {
				obstacles.add("No node has run the projector with its generations yet.");
			}
			return new RequestPlan(obstacles, searchPath(what), Map.of(), null);
		}
		Adopting adopting = adopting(what);
		// The application has found its tables there. Its search path may be another than
		// that of this connection.
		this.schemas.find().ifPresent(this.tables::lookFirstIn);
		List<String> declared = live.get().code().tables();
		obstacles.addAll(adopting.obstacles());
		obstacles.addAll(switch (what.action()) {
			case REBUILD_BESIDE -> ofBuild(what, live.get());
			case SWITCH -> ofSwitch(what, live.get().code());
			case ADOPT -> refusals(declared, this.schemas.origin(live.get().generation()));
			case REBUILD_IN_PLACE, REBUILD_SCOPE, RETIRE, BACKFILL -> List.of();
		});
		List<String> notes = new ArrayList<>(searchPath(what));
		notes.addAll(adopting.notes());
		notes.addAll((what.part() != null) ? this.scopes.notes(what.part(), obstacles) : acceptedLosses(what));
		RequestPlan plan = new RequestPlan(obstacles, notes, this.sizes.of(declared), null);
		return (what.action() == Action.REBUILD_BESIDE) ? withSpace(plan) : plan;
	}

	private RequestPlan withSpace(RequestPlan plan) {
		Long free = this.free.bytes();
		List<String> obstacles = new ArrayList<>(plan.obstacles());
		String full = FreeSpace.refusal(plan.bytes(), free);
		if (full != null) {
			obstacles.add(full);
		}
		return new RequestPlan(obstacles, plan.notes(), plan.tables(), free);
	}

	private List<String> ofBuild(What what, Live live) {
		List<String> found = new ArrayList<>(ofTables(live.code(), origin(what)));
		int version = live.code().version();
		if (!isReported(version)) {
			found.add(
					"No node has reported version " + version + " of the projector, or a newer one, in the last 15 s.");
		}
		return found;
	}

	private List<String> ofSwitch(What what, Code declared) {
		List<String> found = new ArrayList<>(ofTables(declared, origin(what)));
		Integer generation = what.generation();
		if (generation != null) {
			if (!what.acceptsLostColumns()) {
				found.addAll(lostColumns(generation));
			}
			this.schemas.tablesOf(generation)
				.flatMap((other) -> this.switches.differences(generation, other.names(), other.liveSchema(),
						other.schema()))
				.ifPresent(found::add);
			if (this.generations.all().stream().anyMatch((each) -> isNew(each, generation))) {
				this.switches.missingEvents(generation).ifPresent(found::add);
			}
			this.switches.noNode(generation).ifPresent(found::add);
		}
		return found;
	}

	/** Whether it was never live. A generation that was live may have other letters. */
	private static boolean isNew(ProjectionGeneration each, int generation) {
		return each.generation() == generation && each.status() == ProjectionGeneration.Status.READY;
	}

	/** The note about the search path for an adoption; empty for all else. */
	private static List<String> searchPath(What what) {
		return (what.schema() != null)
				? List.of("The search_path of the application and of all readers must have this schema first. Consider"
						+ " alter role ... set search_path = " + what.schema() + ", public.")
				: List.of();
	}

	/**
	 * Call it before another search path is set, because it looks by that of the
	 * connection.
	 */
	private Adopting adopting(What what) {
		String to = what.schema();
		Optional<String> from = (to != null) ? this.schemas.find() : Optional.empty();
		if (to == null || from.isEmpty()) {
			return new Adopting(List.of(), List.of());
		}
		List<String> readers = this.tables.readersWithout(from.get(), to);
		return new Adopting(this.tables.adoptionRefusals(from.get(), to),
				readers.isEmpty() ? List.of() : List.of("Readers may not find the tables afterwards: the roles "
						+ String.join(", ", readers) + " have no search_path with schema '" + to + "'."));
	}

	private List<String> ofTables(Code code, TableOrigin origin) {
		List<String> declared = code.tables();
		if (declared.isEmpty()) {
			return RowsOfGenerations.areIn(code.definition()) ? List.of() : List.of(NO_TABLES);
		}
		List<String> found = new ArrayList<>(this.generations.overlaps(declared));
		found.addAll(this.tables.refusals(declared, origin));
		return found;
	}

	private List<String> refusals(List<String> declared, TableOrigin origin) {
		return declared.isEmpty() ? List.of(NO_TABLES) : this.tables.refusals(declared, origin);
	}

	private List<String> acceptedLosses(What what) {
		Integer generation = what.generation();
		return (what.acceptsLostColumns() && generation != null) ? lostColumns(generation) : List.of();
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

	/**
	 * The known facts of tables that are to be moved.
	 *
	 * @param obstacles why they would not be
	 * @param notes what else is to be known
	 */
	private record Adopting(List<String> obstacles, List<String> notes) {
	}

}
