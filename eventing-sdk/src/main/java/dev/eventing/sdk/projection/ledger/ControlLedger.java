package dev.eventing.sdk.projection.ledger;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import javax.sql.DataSource;

import dev.eventing.sdk.deadletter.StorableText;
import dev.eventing.sdk.deadletter.ledger.RedriveLedger;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.jdbc.SeparateTransactions;
import dev.eventing.sdk.projection.ProjectionAction;
import dev.eventing.sdk.projection.ProjectionAuditEntry;
import dev.eventing.sdk.projection.ProjectionGeneration.Status;
import dev.eventing.sdk.projection.ProjectionRequest.Action;
import dev.eventing.sdk.projection.ProjectorOverview;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.SqlArrayValue;

/**
 * What operators decided about projectors, in {@code projector_controls}, and its audit.
 * Statements never run in the caller's transaction: a change is kept if that rolls back,
 * and a look sees what was committed last. Thread-safe.
 */
public final class ControlLedger {

	private final JdbcClient jdbc;

	private final SeparateTransactions transactions;

	private final String controls;

	private final String nodes;

	private final String requests;

	private final String projections;

	private final String toRedrive;

	private final ProjectionAudit audit;

	private final InlineChanges inline;

	/** Sends no query yet. */
	public ControlLedger(DataSource dataSource, EventingSchema schema) {
		this.transactions = new SeparateTransactions(dataSource);
		this.jdbc = JdbcClient.create(this.transactions.dataSource());
		this.controls = schema.table("projector_controls");
		this.nodes = schema.table("projector_nodes");
		this.requests = schema.table("projection_requests");
		this.projections = schema.table("projections");
		this.toRedrive = RedriveLedger.toRedrive(schema);
		this.audit = new ProjectionAudit(this.jdbc, schema);
		this.inline = new InlineChanges(this.jdbc, schema);
	}

	/**
	 * All pauses, the requests that wait, and the generations beside live ones. The table
	 * of pauses has a row for each projector that was ever paused. The others are found
	 * by {@code projection_requests_open} and {@code projections_beside}. One statement,
	 * so that a node without work costs little.
	 * @param redriving the projectors for which it also looks for letters to redrive
	 */
	public Decisions decisions(Collection<ProjectorId> redriving) {
		Map<String, Pause> pauses = new HashMap<>();
		Map<String, Action> requested = new HashMap<>();
		Map<String, Seen> beside = new HashMap<>();
		Map<String, Long> holds = new HashMap<>();
		Map<String, Ceiling> ceilings = new HashMap<>();
		Map<String, Instant> resumed = new HashMap<>();
		Set<ProjectorId> letters = new HashSet<>();
		this.jdbc
			.sql("""
					select projector_name, 'PAUSE', actor, reason, changed_at, null::bigint, null::integer from %s where paused
					union all
					select projector_name, 'RESUME', null, null, changed_at, null, null from %s
					 where not paused and changed_at > clock_timestamp() - interval '1 minute'
					union all
					select projection_name, action, null, null, null,
					       case when hold_until > clock_timestamp() then hold_at end, null
					  from %s
					 where status = 'PENDING' and expires_at > clock_timestamp() and begun_at is null
					union all
					select projection_name, 'BESIDE', status, failure, null, generation, version from %s
					 where status in ('BUILDING', 'READY', 'PAST', 'STANDBY', 'STALE', 'FAILED')
					union all
					select projection_name, 'CEILING', null, null, null, hold_at,
					       ceil(extract(epoch from hold_until - clock_timestamp()) * 1000)::integer from %s
					 where status in ('BUILDING', 'READY', 'PAST', 'STANDBY', 'STALE', 'FAILED')
					   and hold_until > clock_timestamp()
					union all
					select p, 'LETTERS', null, null, null, null, null from unnest(?) p where %s"""
				.formatted(this.controls, this.controls, this.requests, this.projections, this.projections,
						this.toRedrive))
			.param(new SqlArrayValue("text", redriving.stream().map(ProjectorId::inColumn).toArray()))
			.query((row) -> {
				String projector = row.getString(1);
				switch (row.getString(2)) {
					case "PAUSE" -> pauses.put(projector, pause(row));
					case "RESUME" -> resumed.put(projector, row.getObject(5, OffsetDateTime.class).toInstant());
					case "BESIDE" -> beside.put(projector,
							new Seen(row.getInt(6), row.getInt(7), Status.valueOf(row.getString(3)), row.getString(4)));
					case "CEILING" ->
						ceilings.put(projector, new Ceiling(row.getLong(6), Duration.ofMillis(row.getInt(7))));
					case "LETTERS" -> letters.add(ProjectorId.parse(projector));
					default -> {
						requested.put(projector, Action.valueOf(row.getString(2)));
						Long hold = row.getObject(6, Long.class);
						if (hold != null) {
							holds.put(projector, hold);
						}
					}
				}
			});
		return new Decisions(pauses, resumed, requested, beside, holds, ceilings, letters);
	}

	/** The pause of one projector; empty if it is not paused. Uses the primary key. */
	public Optional<Pause> pause(String projector) {
		return this.jdbc
			.sql("select null, null, actor, reason, changed_at from %s where projector_name = ? and paused"
				.formatted(this.controls))
			.param(projector)
			.query((row, number) -> pause(row))
			.optional();
	}

	private static Pause pause(ResultSet row) throws SQLException {
		return new Pause(row.getString(3), row.getString(4), row.getObject(5, OffsetDateTime.class).toInstant());
	}

	/**
	 * Pauses a projector. If it is paused already, changes actor and reason.
	 * @return the pause before, if there was one
	 */
	public Optional<Pause> pause(String projector, String actor, String reason) {
		return this.transactions.write(() -> {
			Optional<Pause> before = pause(projector);
			// By the primary key. The row is locked until the commit.
			this.jdbc
				.sql("""
						insert into %s as c (projector_name, paused, actor, reason) values (:projector, true, :actor, :reason)
						on conflict (projector_name) do update
						   set paused = true, actor = excluded.actor, reason = excluded.reason,
						       changed_at = clock_timestamp()"""
					.formatted(this.controls))
				.param("projector", projector)
				.param("actor", StorableText.of(actor))
				.param("reason", StorableText.of(reason))
				.update();
			this.inline.note();
			this.audit.add(projector, null, actor, ProjectionAction.PAUSED, reason, null);
			return before;
		});
	}

	/**
	 * Ends a pause, also one by failures, which only its owner knows. Returns false, and
	 * changes nothing, if there is none.
	 */
	public boolean resume(String projector, String actor, @Nullable String reason) {
		return this.transactions.write(() -> {
			// By the primary keys. The row is locked until the commit.
			int ended = this.jdbc
				.sql("""
						insert into %s as c (projector_name, paused, actor, reason)
						select :projector, false, :actor, cast(:reason as text)
						 where exists (select from %s p where p.projector_name = :projector and p.paused)
						    or exists (select from %s n where n.projector_name = :projector and n.state = '%s')
						on conflict (projector_name) do update
						   set paused = false, actor = excluded.actor, reason = excluded.reason,
						       changed_at = clock_timestamp()""".formatted(this.controls, this.controls, this.nodes,
						ProjectorOverview.Status.PAUSED_BY_FAILURES))
				.param("projector", projector)
				.param("actor", StorableText.of(actor))
				.param("reason", StorableText.ofNullable(reason))
				.update();
			if (ended > 0) {
				this.inline.note();
				this.audit.add(projector, null, actor, ProjectionAction.RESUMED, reason, null);
			}
			return ended > 0;
		});
	}

	/** The last actions on a projector, oldest first. */
	public List<ProjectionAuditEntry> audit(String projector, int limit) {
		return this.audit.of(projector, limit);
	}

	/**
	 * What operators decided about projectors.
	 *
	 * @param pauses the pauses, by projector
	 * @param resumed when operators have resumed projectors lately, by projector
	 * @param requested what is requested, by projector
	 * @param beside the generations beside live ones, by projector
	 * @param holds the positions at which live generations are to be held for a switch,
	 * by projector
	 * @param ceilings how far the generations that are being compared may read, by
	 * projector
	 * @param toRedrive the requested projectors that have letters to redrive
	 */
	public record Decisions(Map<String, Pause> pauses, Map<String, Instant> resumed, Map<String, Action> requested,
			Map<String, Seen> beside, Map<String, Long> holds, Map<String, Ceiling> ceilings,
			Set<ProjectorId> toRedrive) {
	}

	/**
	 * How far the live generation and the one beside it may read the event store.
	 *
	 * @param position up to here
	 * @param time for how long
	 */
	public record Ceiling(long position, Duration time) {
	}

	/**
	 * A generation beside the live one.
	 *
	 * @param generation its number
	 * @param version the version of the code that feeds it
	 * @param status its status
	 * @param failure why it cannot continue, or null
	 */
	public record Seen(int generation, int version, Status status, @Nullable String failure) {
	}

}
