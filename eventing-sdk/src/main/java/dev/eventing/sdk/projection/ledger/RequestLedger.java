package dev.eventing.sdk.projection.ledger;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.eventing.sdk.deadletter.StorableText;
import dev.eventing.sdk.projection.BackfillOptions;
import dev.eventing.sdk.projection.BuildOptions;
import dev.eventing.sdk.projection.ProjectionAction;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projection.ProjectionRequest.What;
import dev.eventing.sdk.projection.SwitchOptions;
import dev.eventing.sdk.projection.Until;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What operators requested for projectors, in {@code projection_requests}. Every
 * statement runs in the caller's transaction, or alone if it only reads. Thread-safe.
 */
public final class RequestLedger {

	private static final String COLUMNS = """
			request_id, projection_name,
			case when status = 'PENDING' and begun_at is not null then 'RUNNING'
			     when status = 'PENDING' and expires_at <= clock_timestamp() then 'EXPIRED'
			     when status = 'PENDING' and ddl_role is not null then 'NEEDS_DDL' else status end,
			detail, actor, reason, requested_at, expires_at, ended_at, action, generation, unchecked,
			accepts_lost_columns, schema_name, rate, max_bytes,
			until_position, until_time, types, handler,
			scope_kind, scope_tenant, scope_names, scope_from, scope_to, most_events""";

	/** Not ended, whether it waits or is under way. */
	private static final String OPEN = """
			status = 'PENDING' and (expires_at > clock_timestamp() or begun_at is not null)""";

	private final JdbcClient jdbc;

	private final String table;

	private final ProjectionAudit audit;

	private final BackfillLedger backfills;

	/** Sends no query yet. */
	public RequestLedger(JdbcOperations jdbc, EventingSchema schema) {
		this.jdbc = JdbcClient.create(jdbc);
		this.table = schema.table("projection_requests");
		this.audit = new ProjectionAudit(this.jdbc, schema);
		this.backfills = new BackfillLedger(jdbc, schema);
	}

	/**
	 * Adds a request, unless one waits.
	 * @return empty if one waits
	 */
	Optional<ProjectionRequest> add(String projector, What what, ProjectionRequest.By by, Duration patience) {
		this.jdbc.sql("""
				update %s set status = 'EXPIRED', ended_at = expires_at
				 where projection_name = ? and status = 'PENDING' and not (%s)
				""".formatted(this.table, OPEN)).param(projector).update();
		BackfillOptions backfill = what.backfill();
		Optional<ProjectionRequest> added = this.jdbc
			.sql("""
					insert into %s (projection_name, action, generation, unchecked, accepts_lost_columns, schema_name,
					                rate, max_bytes, actor, reason, expires_at,
					                until_position, until_time, types, handler,
					                scope_kind, scope_tenant, scope_names, scope_from, scope_to, most_events)
					values (:projector, :action, cast(:generation as integer), :unchecked, :accepts, cast(:schema as text),
					        cast(:rate as integer), cast(:maxBytes as bigint), :actor, :reason,
					        clock_timestamp() + :patience * interval '1 second',
					        cast(:untilPosition as bigint), cast(:untilTime as timestamptz), cast(:types as text[]),
					        cast(:handler as text), :scopeKind, :scopeTenant, :scopeNames, :scopeFrom, :scopeTo, :mostEvents)
					on conflict (projection_name) where status = 'PENDING' do nothing
					returning %s"""
				.formatted(this.table, COLUMNS))
			.param("projector", projector)
			.param("action", what.action().name())
			.param("generation", what.generation())
			.param("unchecked", what.isUnchecked())
			.param("accepts", what.acceptsLostColumns())
			.param("schema", what.schema())
			.param("rate", (backfill != null) ? backfill.rate() : what.build().rate())
			.param("maxBytes", what.build().maxBytes())
			.param("untilPosition", (backfill != null) ? backfill.to() : position(what.build().until()))
			.param("untilTime",
					(what.build().until() instanceof Until.Time at) ? at.time().atOffset(ZoneOffset.UTC) : null)
			.params(ScopeColumns.of(what.part()))
			.param("types", (backfill != null) ? backfill.types().toArray(String[]::new) : null)
			.param("handler", (backfill != null) ? backfill.handler() : null)
			.param("actor", StorableText.of(by.actor()))
			.param("reason", StorableText.of(by.reason()))
			.param("patience", patience.toSeconds())
			.query((row, number) -> request(row))
			.optional();
		added.ifPresent((request) -> this.audit.add(projector, what.generation(), by.actor(), what.action().requested(),
				by.reason(), detail(what)));
		return added;
	}

	private static @Nullable Long position(@Nullable Until until) {
		return (until instanceof Until.Position at) ? (Long) at.position() : null;
	}

	private static @Nullable String detail(What what) {
		Until until = what.build().until();
		String detail = Stream.of(what.isUnchecked() ? "without checks" : "",
				what.acceptsLostColumns() ? "lost columns are accepted" : "",
				(what.schema() != null) ? "to the schema " + what.schema() : "",
				(until != null) ? "until " + until.text() : "", (what.backfill() != null) ? what.backfill().text() : "",
				(what.part() != null) ? what.part().scope().describe() : "")
			.filter((words) -> !words.isEmpty())
			.collect(Collectors.joining("; "));
		return detail.isEmpty() ? null : detail;
	}

	/**
	 * Cancels the request that waits.
	 * @return whether one waited
	 */
	boolean cancel(String projector, String actor, String reason) {
		int cancelled = this.jdbc.sql("""
				update %s set status = 'CANCELLED', ended_at = clock_timestamp(), detail = :detail
				 where projection_name = :projector and %s
				""".formatted(this.table, OPEN))
			.param("projector", projector)
			.param("detail", StorableText.of("cancelled by " + actor + ": " + reason))
			.update();
		if (cancelled > 0) {
			this.audit.add(projector, null, actor, ProjectionAction.REQUEST_CANCELLED, reason, null);
		}
		return cancelled > 0;
	}

	/**
	 * Returns the request that waits and locks it, so that it cannot be cancelled until
	 * the transaction ends.
	 */
	public Optional<ProjectionRequest> lock(String projector) {
		return this.jdbc.sql("""
				select %s from %s
				 where projection_name = ? and %s
				   for update""".formatted(COLUMNS, this.table, OPEN))
			.param(projector)
			.query((row, number) -> request(row))
			.optional();
	}

	/** Whether a request has not ended yet. By the primary key. */
	public boolean isPending(long id) {
		return this.jdbc
			.sql("select exists (select from %s where request_id = ? and status = 'PENDING')".formatted(this.table))
			.param(id)
			.query(Boolean.class)
			.single();
	}

	/** Records what a request waits for. */
	public void waits(long id, String detail) {
		this.jdbc.sql("""
				update %s set detail = :detail, ddl_role = null, ddl_schemas = null
				 where request_id = :id and status = 'PENDING'""".formatted(this.table))
			.param("detail", StorableText.of(detail))
			.param("id", id)
			.update();
	}

	/**
	 * Records that a request waits for rights.
	 * @param rights the role that needs rights, or null if it has them now
	 * @return whether that is news
	 */
	public boolean needs(ProjectionRequest request, @Nullable NeededRights rights) {
		String detail = (rights != null) ? "Role '" + rights.role() + "' lacks rights for it. eventing projection ddl "
				+ request.projection() + " shows the statements that give them, and runs them with --run. Then it goes"
				+ " on by itself." : null;
		return this.jdbc
			.sql("""
					update %s set ddl_role = cast(:role as text), ddl_schemas = cast(:schemas as text[]),
					       detail = cast(:detail as text)
					 where request_id = :id and status = 'PENDING'
					   and (ddl_role, ddl_schemas) is distinct from (cast(:role as text), cast(:schemas as text[]))"""
				.formatted(this.table))
			.param("role", (rights != null) ? rights.role() : null)
			.param("schemas", (rights != null) ? rights.schemas().toArray(String[]::new) : null)
			.param("detail", StorableText.ofNullable(detail))
			.param("id", request.id())
			.update() > 0;
	}

	/** The rights that a request waits for. By the primary key. */
	Optional<NeededRights> needed(long id) {
		return this.jdbc
			.sql("select ddl_role, ddl_schemas from %s where request_id = ? and ddl_role is not null"
				.formatted(this.table))
			.param(id)
			.query((row, number) -> new NeededRights(row.getString(1), List.of((String[]) row.getArray(2).getArray())))
			.optional();
	}

	/**
	 * Ends a request.
	 * @return false if it has ended already
	 */
	public boolean end(long id, Status status, @Nullable String detail) {
		return this.jdbc.sql("""
				update %s set status = :status, ended_at = clock_timestamp(), detail = cast(:detail as text)
				 where request_id = :id and status = 'PENDING'""".formatted(this.table))
			.param("status", status.name())
			.param("detail", StorableText.ofNullable(detail))
			.param("id", id)
			.update() > 0;
	}

	/** The last request for a projector. By {@code projection_requests_name}. */
	Optional<ProjectionRequest> last(String projector) {
		return this.jdbc
			.sql("select %s from %s where projection_name = ? order by request_id desc limit 1".formatted(COLUMNS,
					this.table))
			.param(projector)
			.query((row, number) -> request(row))
			.optional()
			.map(this::withProgress);
	}

	/** A request by its number. By the primary key. */
	Optional<ProjectionRequest> find(long id) {
		return this.jdbc.sql("select %s from %s where request_id = ?".formatted(COLUMNS, this.table))
			.param(id)
			.query((row, number) -> request(row))
			.optional()
			.map(this::withProgress);
	}

	private ProjectionRequest withProgress(ProjectionRequest request) {
		return (request.what().backfill() == null) ? request
				: this.backfills.progress(request.id())
					.map((progress) -> new ProjectionRequest(request.id(), request.projection(), request.what(),
							new ProjectionRequest.State(request.state().status(), request.state().detail(), progress),
							request.by(), request.requestedAt(), request.expiresAt(), request.endedAt()))
					.orElse(request);
	}

	private static ProjectionRequest request(ResultSet row) throws SQLException {
		OffsetDateTime ended = row.getObject(9, OffsetDateTime.class);
		return new ProjectionRequest(row.getLong(1), row.getString(2), what(row),
				new ProjectionRequest.State(Status.valueOf(row.getString(3)), row.getString(4)),
				new ProjectionRequest.By(row.getString(5), row.getString(6)),
				row.getObject(7, OffsetDateTime.class).toInstant(), row.getObject(8, OffsetDateTime.class).toInstant(),
				(ended != null) ? ended.toInstant() : null);
	}

	private static What what(ResultSet row) throws SQLException {
		ProjectionRequest.Action action = ProjectionRequest.Action.valueOf(row.getString(10));
		if (action == ProjectionRequest.Action.BACKFILL) {
			String[] types = (String[]) row.getArray(19).getArray();
			return What.backfill(new BackfillOptions(new TreeSet<>(List.of(types)), row.getString(20),
					row.getObject(17, Long.class), row.getObject(15, Integer.class)));
		}
		return new What(action, row.getObject(11, Integer.class),
				new SwitchOptions(row.getBoolean(12), row.getBoolean(13)),
				new BuildOptions(row.getObject(15, Integer.class), row.getObject(16, Long.class), until(row)),
				row.getString(14), null, ScopeColumns.read(row, 21));
	}

	private static @Nullable Until until(ResultSet row) throws SQLException {
		Long position = row.getObject(17, Long.class);
		OffsetDateTime time = row.getObject(18, OffsetDateTime.class);
		if (position != null) {
			return new Until.Position(position);
		}
		return (time != null) ? new Until.Time(time.toInstant()) : null;
	}

}
