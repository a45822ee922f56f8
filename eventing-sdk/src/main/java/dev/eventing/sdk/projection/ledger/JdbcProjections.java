package dev.eventing.sdk.projection.ledger;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

import javax.sql.DataSource;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.jdbc.BoundedDataSource;
import dev.eventing.sdk.jdbc.SeparateTransactions;
import dev.eventing.sdk.projection.BackfillOptions;
import dev.eventing.sdk.projection.BuildOptions;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.ProjectionRequest.Action;
import dev.eventing.sdk.projection.ProjectionRequest.By;
import dev.eventing.sdk.projection.ProjectionRequest.What;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.RequestPlan;
import dev.eventing.sdk.projection.RequestRefusedException;
import dev.eventing.sdk.projection.ScopedRebuild;
import dev.eventing.sdk.projection.SwitchOptions;
import dev.eventing.sdk.projection.Until;
import dev.eventing.sdk.projection.tables.ReadModelTables;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.core.JdbcTemplate;

/** The operations on read models, in PostgreSQL. Thread-safe. */
public final class JdbcProjections implements Projections {

	/** The time limit of a statement. */
	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private static final Pattern SCHEMA = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_$]{0,62}");

	/** Schemas of PostgreSQL, and the one that is shared by all. */
	private static final Pattern NOT_OWN = Pattern.compile("pg_.*|information_schema|public");

	private final SeparateTransactions transactions;

	private final JdbcTemplate jdbc;

	private final EventingSchema schema;

	private final RequestLedger requests;

	private final KnownProjectors known;

	private final PastPosition past;

	private final RequestRights rights;

	private final BackfillPlan backfills;

	/**
	 * Sends no query yet.
	 * @param dataSource the DataSource that holds the SDK's tables
	 * @param schema the schema of the tables
	 */
	public JdbcProjections(DataSource dataSource, EventingSchema schema) {
		this.transactions = new SeparateTransactions(BoundedDataSource.of(dataSource, TIMEOUT));
		this.jdbc = new JdbcTemplate(this.transactions.dataSource());
		this.schema = schema;
		this.requests = new RequestLedger(this.jdbc, schema);
		this.known = new KnownProjectors(this.jdbc, schema);
		this.past = new PastPosition(this.jdbc, schema);
		this.rights = new RequestRights(this.jdbc, schema);
		this.backfills = new BackfillPlan(this.jdbc, schema);
	}

	@Override
	public ProjectionRequest rebuildInPlace(String name, String actor, String reason, Duration patience) {
		return add(name, new What(Action.REBUILD_IN_PLACE, null), new By(actor, reason), patience);
	}

	@Override
	public ProjectionRequest rebuildScope(String name, ScopedRebuild part, By by, Duration patience) {
		return add(name, What.part(part), by, patience);
	}

	@Override
	public ProjectionRequest rebuildBeside(String name, String actor, String reason, Duration patience) {
		return rebuildBeside(name, BuildOptions.DEFAULT, actor, reason, patience);
	}

	@Override
	public ProjectionRequest rebuildBeside(String name, BuildOptions options, String actor, String reason,
			Duration patience) {
		return add(name, What.build(options), new By(actor, reason), patience);
	}

	@Override
	public ProjectionRequest retire(String name, int generation, String actor, String reason, Duration patience) {
		return add(name, new What(Action.RETIRE, generation), new By(actor, reason), patience);
	}

	@Override
	public ProjectionRequest switchTo(String name, int generation, SwitchOptions options, By by, Duration patience) {
		return add(name, What.switchTo(generation, options), by, patience);
	}

	@Override
	public ProjectionRequest adopt(String name, String schema, String actor, String reason, Duration patience) {
		requireOwn(schema);
		return add(name, What.adopt(schema), new By(actor, reason), patience);
	}

	@Override
	public List<String> lostColumns(String name, int generation) {
		if (!ProjectorId.isName(name)) {
			return List.of();
		}
		ProjectorId projector = ProjectorId.of(name);
		return this.transactions.read(() -> new LiveSchemas(this.jdbc, this.schema, projector).tablesOf(generation)
			.map((tables) -> new ReadModelTables(this.jdbc).lostColumns(tables.names(), tables.liveSchema(),
					tables.schema()))
			.orElse(List.of()));
	}

	@Override
	public ProjectionRequest backfill(String name, BackfillOptions options, String actor, String reason,
			Duration patience) {
		return add(name, What.backfill(options), new By(actor, reason), patience);
	}

	private void requireOwn(String schema) {
		if (!SCHEMA.matcher(schema).matches() || NOT_OWN.matcher(schema).matches()
				|| schema.equals(this.schema.name())) {
			throw new IllegalArgumentException("'" + schema + "' is no schema for a read model alone. Consider a name "
					+ "such as order_views, of at most 63 letters, digits and underscores.");
		}
	}

	private ProjectionRequest add(String name, What what, By by, Duration patience) {
		OperatorText.require("actor", by.actor());
		OperatorText.require("reason", by.reason());
		OperatorText.requirePatience(patience);
		return this.transactions.write(() -> {
			this.known.require(name);
			requirePossible(name, what);
			requireWayBack(name, what);
			return this.requests.add(name, what, by, patience)
				.orElseThrow(() -> new RequestRefusedException("Projector '" + name + "' has a request that waits."));
		});
	}

	@Override
	public RequestPlan plan(String name, What what) {
		RequestPlan plan = this.transactions.read(() -> {
			this.known.require(name);
			List<String> obstacles = new ArrayList<>();
			try {
				requirePossible(name, what);
			}
			catch (RequestRefusedException | IllegalArgumentException ex) {
				obstacles.add(String.valueOf(ex.getMessage()));
			}
			this.requests.last(name)
				.filter((last) -> last.state().status().isOpen())
				.ifPresent((last) -> obstacles.add("Projector '" + name + "' has a request that waits."));
			return new Preflight(this.jdbc, this.schema, ProjectorId.of(name)).plan(what, obstacles);
		});
		BackfillOptions backfill = what.backfill();
		return (backfill != null) ? new RequestPlan(plan.obstacles(), counts(backfill), Map.of(), null) : plan;
	}

	/** A count that takes too long ends its transaction. */
	private List<String> counts(BackfillOptions backfill) {
		try {
			return this.transactions.read(() -> this.backfills.counts(backfill));
		}
		catch (QueryTimeoutException ex) {
			return List.of("The events are not counted: that takes more than 20 s.");
		}
	}

	private void requirePossible(String name, What what) {
		List<ProjectionGeneration> all = generations(name);
		if (what.action() == Action.ADOPT) {
			requireOwn(Objects.requireNonNull(what.schema()));
			requireNoFilling(name, all);
		}
		else if (what.part() != null) {
			requireNoFilling(name, all);
			requireLetters(name, what.part());
		}
		else if (what.backfill() != null) {
			requireNoOther(name, all);
			String refusal = this.backfills.refusal(name, what.backfill());
			if (refusal != null) {
				throw new RequestRefusedException(refusal);
			}
		}
		else if (what.generation() == null) {
			requireNoOther(name, all);
			requirePast(name, what.build().until());
		}
		else {
			requireBeside(name, what, all);
		}
	}

	/** The node looks again. */
	private void requireLetters(String name, ScopedRebuild part) {
		new ScopedStreams(this.jdbc, this.schema, ProjectorId.of(name)).of(part.scope());
	}

	private static void requireBeside(String name, What what, List<ProjectionGeneration> all) {
		ProjectionGeneration found = all.stream()
			.filter((each) -> Integer.valueOf(each.generation()).equals(what.generation()))
			.filter((each) -> each.status().isBeside())
			.findFirst()
			.orElseThrow(() -> new RequestRefusedException(
					"Generation " + what.generation() + " does not stand beside the live one of '" + name + "'."));
		if (what.action() == Action.SWITCH && found.isPast()) {
			throw new RequestRefusedException(
					"Generation " + what.generation() + " of '" + name + "' shows the read model as it was at position "
							+ found.filledTo() + ", and is never switched to. Retire it, and build another.");
		}
		if (what.action() == Action.SWITCH && !found.status().isFed()) {
			throw new RequestRefusedException("Generation " + what.generation() + " of '" + name + "' is "
					+ found.status() + ": " + found.failure());
		}
	}

	/**
	 * Refuses a roll back that no node can do, so that it does not wait for one. Nodes
	 * that start have some seconds to report before that is recorded.
	 */
	private void requireWayBack(String name, What what) {
		Integer generation = what.generation();
		if (what.action() != Action.SWITCH || generation == null) {
			return;
		}
		ProjectorId projector = ProjectorId.of(name);
		if (new StandbyLedger(this.jdbc, this.schema, projector).whyNoRollback(generation).isPresent()) {
			new SwitchObstacles(this.jdbc, this.schema, projector).noNode(generation).ifPresent((why) -> {
				throw new RequestRefusedException(
						"Generation " + generation + " of '" + name + "' cannot become live again. " + why);
			});
		}
	}

	/**
	 * The node that begins the generation looks again. Only that node looks into a
	 * stream.
	 */
	private void requirePast(String name, @Nullable Until until) {
		if (until == null) {
			return;
		}
		PastPosition.Source source = this.past.source(name)
			.orElseThrow(() -> new RequestRefusedException(
					"Projector '" + name + "' has read no events yet, so nothing can be built as it was."));
		if (source == PastPosition.Source.STREAM) {
			return;
		}
		PastPosition.Found found = this.past.find(until);
		if (found.refusal() != null && !found.isTemporary()) {
			throw new RequestRefusedException(found.refusal());
		}
	}

	private static void requireNoFilling(String name, List<ProjectionGeneration> all) {
		if (all.stream().anyMatch((each) -> each.status() == ProjectionGeneration.Status.FILLING)) {
			throw new RequestRefusedException("The read model of '" + name + "' is being filled from events.");
		}
	}

	private static void requireNoOther(String name, List<ProjectionGeneration> all) {
		requireNoFilling(name, all);
		for (ProjectionGeneration each : all) {
			if (each.status().isBeside()) {
				throw new RequestRefusedException("Generation " + each.generation() + " of '" + name + "' is "
						+ each.status() + ". Retire it first.");
			}
		}
	}

	@Override
	public boolean cancel(String name, String actor, String reason) {
		OperatorText.require("actor", actor);
		OperatorText.require("reason", reason);
		return this.transactions.write(() -> this.requests.cancel(name, actor, reason));
	}

	@Override
	public Optional<ProjectionRequest> lastRequest(String name) {
		return this.transactions.read(() -> this.requests.last(name));
	}

	@Override
	public List<String> ddl(String name) {
		return this.transactions.read(() -> this.rights.statements(name));
	}

	/**
	 * Runs the {@linkplain #ddl statements} that a request waits for in one transaction,
	 * with the rights of this connection.
	 * @param seen the statements that the user has seen
	 * @param actor the user who runs them, for the audit; not blank
	 * @throws RequestRefusedException if other statements are needed now
	 * @throws org.springframework.dao.DataAccessException if the role of the connection
	 * lacks a right, a table is in use, or the database does not answer
	 */
	public void runDdl(String name, List<String> seen, String actor) {
		OperatorText.require("actor", actor);
		this.transactions.write(() -> {
			this.rights.run(name, seen, actor);
			return true;
		});
	}

	@Override
	public Optional<ProjectionRequest> request(long id) {
		return this.transactions.read(() -> this.requests.find(id));
	}

	@Override
	public List<ProjectionGeneration> generations(String name) {
		return ProjectorId.isName(name) ? new GenerationLedger(this.jdbc, this.schema, ProjectorId.of(name)).all()
				: List.of();
	}

}
