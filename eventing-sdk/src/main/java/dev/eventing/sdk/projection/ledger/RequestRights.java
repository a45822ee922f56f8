package dev.eventing.sdk.projection.ledger;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projection.ProjectionAction;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.RequestRefusedException;
import dev.eventing.sdk.projection.tables.MissingRights;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The statements that give the application's role the rights that a request waits for.
 * They are derived from the catalog each time, and never read from a table: the
 * application may write to the SDK's tables, and must not have others run what it wrote.
 * Runs in the caller's transaction.
 */
final class RequestRights {

	/** Readers of the live tables wait behind the statements. */
	private static final String LOCK_TIMEOUT = "set local lock_timeout = '2s'";

	/** Schemas of the server. */
	private static final Pattern SYSTEM = Pattern.compile("pg_.*|information_schema");

	/** The schema that every role may use. */
	private static final String PUBLIC = "public";

	private final JdbcTemplate jdbc;

	private final EventingSchema schema;

	private final RequestLedger requests;

	private final MissingRights missing;

	/** Sends no query yet. */
	RequestRights(JdbcTemplate jdbc, EventingSchema schema) {
		this.jdbc = jdbc;
		this.schema = schema;
		this.requests = new RequestLedger(jdbc, schema);
		this.missing = new MissingRights(jdbc);
	}

	/** The statements, in their order. Empty if no request waits for rights. */
	List<String> statements(String projector) {
		return waiting(projector).map(this::statements).orElse(List.of());
	}

	/** Runs the statements, if they are still these. */
	void run(String projector, List<String> seen, String actor) {
		this.jdbc.execute(LOCK_TIMEOUT);
		ProjectionRequest request = waiting(projector).filter((each) -> statements(each).equals(seen))
			.orElseThrow(() -> new RequestRefusedException(
					"The statements for projector '" + projector + "' have changed meanwhile. Look at them again."));
		seen.forEach(this.jdbc::execute);
		new ProjectionAudit(JdbcClient.create(this.jdbc), this.schema).add(projector, request.what().generation(),
				actor, ProjectionAction.DDL_RUN, request.by().reason(), String.join("; ", seen));
	}

	private Optional<ProjectionRequest> waiting(String projector) {
		return ProjectorId.isName(projector)
				? this.requests.last(projector).filter((last) -> last.state().status() == Status.NEEDS_DDL)
				: Optional.empty();
	}

	private List<String> statements(ProjectionRequest request) {
		NeededRights needed = this.requests.needed(request.id()).orElse(null);
		ProjectorId projector = ProjectorId.of(request.projection());
		LiveSchemas schemas = new LiveSchemas(this.jdbc, this.schema, projector);
		String live = schemas.find().orElse(null);
		List<String> tables = new GenerationLedger(this.jdbc, this.schema, projector).live()
			.map((each) -> each.code().tables())
			.orElse(List.of());
		if (needed == null || live == null) {
			return List.of();
		}
		require(live, false);
		needed.schemas().forEach((each) -> require(each, PUBLIC.equals(each)));
		String first = needed.schemas().get(0);
		Integer number = request.what().generation();
		return switch (request.what().action()) {
			case REBUILD_BESIDE, SWITCH -> this.missing.toExchange(needed.role(), tables, live, needed.schemas());
			case ADOPT -> this.missing.toMove(needed.role(), tables, live, first);
			case RETIRE -> this.missing.toDrop(needed.role(),
					schemas.tablesOf(Objects.requireNonNull(number)).map(LiveSchemas.Tables::names).orElse(tables),
					first);
			case REBUILD_IN_PLACE, REBUILD_SCOPE, BACKFILL -> List.of();
		};
	}

	private void require(String each, boolean shared) {
		if (shared || each.equals(this.schema.name()) || SYSTEM.matcher(each).matches()) {
			throw new RequestRefusedException(
					"Schema '" + each + "' is none of a read model alone. It is handed over to no role.");
		}
	}

}
