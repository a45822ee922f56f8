package dev.eventing.sdk.projection.ledger;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import dev.eventing.sdk.deadletter.StorableText;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projection.BuildOptions;
import dev.eventing.sdk.projection.ProjectionAction;
import dev.eventing.sdk.projection.ProjectionGeneration.Status;
import dev.eventing.sdk.projection.Until;
import dev.eventing.sdk.projection.ledger.GenerationLedger.Code;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The generations of a projector's read model that are filled, in {@code projections}: in
 * place or beside the live one; and how far their lanes are, in {@code projection_lanes}.
 * Every statement runs in the caller's transaction, or alone if it only reads.
 * Thread-safe.
 */
public final class FillingLedger {

	private final JdbcClient client;

	private final String projector;

	private final String projections;

	private final LaneLedger lanes;

	private final String audited;

	private final ProjectionAudit audit;

	private final String lastSwitch;

	/** Sends no query yet. */
	public FillingLedger(JdbcOperations jdbc, EventingSchema schema, ProjectorId projector) {
		this.client = JdbcClient.create(jdbc);
		this.projector = projector.base();
		this.projections = schema.table("projections");
		this.lanes = new LaneLedger(jdbc, schema, projector);
		this.audited = schema.table("projection_audit");
		this.audit = new ProjectionAudit(this.client, schema);
		this.lastSwitch = LastSwitch.transaction(schema, "p.projection_name");
	}

	/**
	 * The generation that is being filled, or null. By {@code projections_current},
	 * {@code projection_audit_name} and the primary keys.
	 */
	public @Nullable Filling filling() {
		return found("p.status = 'FILLING'").orElse(null);
	}

	/**
	 * The generation beside the live one, if it is to be fed. By
	 * {@code projections_beside} and the primary keys.
	 */
	public Optional<Filling> fed(int generation) {
		return found("p.status in ('BUILDING', 'READY', 'STANDBY') and p.generation = " + generation);
	}

	private Optional<Filling> found(String which) {
		Optional<Filling> row = this.client
			.sql("""
					select p.generation, p.definition, p.filled_to,
					       exists (select from %s a where a.projection_name = p.projection_name
					                 and a.generation = p.generation and a.action = '%s'), p.schema_name, p.stream,
					       p.stream_created, case p.status when 'STANDBY' then %s end,
					       p.status = 'BUILDING', p.rate, p.max_bytes, p.script
					  from %s p where p.projection_name = ? and %s""".formatted(this.audited,
					ProjectionAction.REBUILD_BEGUN_AGAIN, this.lastSwitch, this.projections, which))
			.param(this.projector)
			.query((found, number) -> new Filling(ProjectorId.of(this.projector), found.getInt(1), found.getString(2),
					found.getObject(3, Long.class), found.getBoolean(4), site(found), List.of(), stream(found)))
			.optional();
		return row.map((found) -> found.withLanes(this.lanes.positions(found.generation())));
	}

	private static @Nullable SourceStream stream(ResultSet row) throws SQLException {
		String stream = row.getString(6);
		return (stream != null) ? new SourceStream(stream, row.getObject(7, OffsetDateTime.class).toInstant(),
				row.getObject(8, Long.class)) : null;
	}

	private static Filling.@Nullable Site site(ResultSet row) throws SQLException {
		String schema = row.getString(5);
		Long upTo = row.getObject(3, Long.class);
		BuildOptions limits = row.getBoolean(9) ? new BuildOptions(row.getObject(10, Integer.class),
				row.getObject(11, Long.class), (upTo != null) ? new Until.Position(upTo) : null) : null;
		return (schema != null) ? new Filling.Site(schema, row.getString(12), limits) : null;
	}

	/** The stream that a generation beside the live one is fed from. */
	public Optional<SourceStream> streamOf(int generation) {
		return fed(generation).flatMap((filling) -> Optional.ofNullable(filling.stream()));
	}

	/**
	 * Begins a new generation. The one before it is retired.
	 * @param lanes the number of lanes that fill it
	 * @param code what fills it
	 * @param upTo the position up to which it is filled
	 * @param stream what it is filled from; null for the event store
	 * @return its number
	 */
	public int begin(int lanes, Code code, long upTo, @Nullable SourceStream stream) {
		this.client.sql("""
				update %s set status = 'RETIRED', retired_at = clock_timestamp(), live_schema = null
				 where projection_name = ? and status = 'LIVE'""".formatted(this.projections))
			.param(this.projector)
			.update();
		int generation = this.client.sql("""
				insert into %1$s (projection_name, generation, status, definition, version, tables, filled_to)
				select :projector, %2$s, 'FILLING', :definition, :version, :tables, :upTo
				returning generation""".formatted(this.projections, next()))
			.param("projector", this.projector)
			.param("definition", code.definition())
			.param("version", code.version())
			.param("tables", code.tables().toArray(String[]::new))
			.param("upTo", upTo)
			.query(Integer.class)
			.single();
		this.lanes.add(generation, lanes, 0);
		readsFrom(generation, stream);
		return generation;
	}

	private void readsFrom(int generation, @Nullable SourceStream stream) {
		if (stream != null) {
			this.client
				.sql("update %s set stream = ?, stream_created = ? where projection_name = ? and generation = ?"
					.formatted(this.projections))
				.param(stream.stream())
				.param(stream.created().atOffset(ZoneOffset.UTC))
				.param(this.projector)
				.param(generation)
				.update();
		}
	}

	/** The number of the next generation. By the primary key. */
	public int nextNumber() {
		return this.client.sql("select " + next()).param("projector", this.projector).query(Integer.class).single();
	}

	private String next() {
		return "(select greatest(coalesce(max(generation), 1), 1) + 1 from %s where projection_name = :projector)"
			.formatted(this.projections);
	}

	/**
	 * Begins a generation beside the live one, whose tables exist.
	 * @param generation the {@link #nextNumber() next} number
	 * @param lanes the number of lanes that fill it
	 * @param code what fills it
	 * @param site where its tables are, and the limits of its build: until a position, if
	 * at all
	 * @param stream what it is filled from; null for the event store
	 */
	public void beginBeside(int generation, int lanes, Code code, Filling.Site site, @Nullable SourceStream stream) {
		BuildOptions limits = Objects.requireNonNullElse(site.limits(), BuildOptions.DEFAULT);
		this.client
			.sql("""
					insert into %s (projection_name, generation, status, definition, version, schema_name, script, tables,
					                rate, max_bytes, filled_to)
					values (:projector, :generation, 'BUILDING', :definition, :version, :schema, cast(:script as text), :tables,
					        cast(:rate as integer), cast(:maxBytes as bigint), cast(:upTo as bigint))"""
				.formatted(this.projections))
			.param("projector", this.projector)
			.param("generation", generation)
			.param("definition", code.definition())
			.param("version", code.version())
			.param("schema", site.schema())
			.param("script", site.script())
			.param("tables", code.tables().toArray(String[]::new))
			.param("rate", limits.rate())
			.param("maxBytes", limits.maxBytes())
			.param("upTo", (limits.until() instanceof Until.Position then) ? then.position() : null)
			.update();
		this.lanes.add(generation, lanes, 0);
		readsFrom(generation, stream);
	}

	/**
	 * Records that a generation has met the end of its source, also in the audit.
	 * @return false if it had before
	 */
	public boolean ready(int generation, String actor) {
		return noted(endsBuild(generation, Status.READY), generation, actor, ProjectionAction.READY, null);
	}

	/**
	 * Records that a generation which shows the read model as it was is filled, also in
	 * the audit, and forgets its lanes.
	 * @param detail up to where, for the audit
	 * @return false if that is recorded already
	 */
	public boolean past(int generation, String actor, String detail) {
		boolean news = endsBuild(generation, Status.PAST);
		if (news) {
			this.lanes.remove(generation);
		}
		return noted(news, generation, actor, ProjectionAction.PAST, detail);
	}

	private boolean endsBuild(int generation, Status status) {
		return this.client.sql("""
				update %s set status = ?
				 where projection_name = ? and generation = ? and status = 'BUILDING'""".formatted(this.projections))
			.param(status.name())
			.param(this.projector)
			.param(generation)
			.update() > 0;
	}

	/**
	 * Records that a generation beside the live one has failed, also in the audit.
	 * @return false if that is recorded already
	 */
	public boolean fail(int generation, String actor, String failure) {
		boolean news = this.client.sql("""
				update %s set status = 'FAILED', failure = :failure
				 where projection_name = :projector and generation = :generation
				   and status in ('BUILDING', 'READY', 'STANDBY')""".formatted(this.projections))
			.param("failure", StorableText.of(failure))
			.param("projector", this.projector)
			.param("generation", generation)
			.update() > 0;
		return noted(news, generation, actor, ProjectionAction.BUILD_FAILED, failure);
	}

	private boolean noted(boolean news, int generation, String actor, ProjectionAction action,
			@Nullable String detail) {
		if (news) {
			this.audit.add(this.projector, generation, actor, action, null, detail);
		}
		return news;
	}

	/**
	 * Begins the generation that is being filled again, because the code handles
	 * something else now. Records it in the audit, too.
	 */
	public void beginAgain(int generation, int lanes, String definition, String actor) {
		this.client.sql("""
				update %s set definition = :definition, begun_at = clock_timestamp()
				 where projection_name = :projector and generation = :generation""".formatted(this.projections))
			.param("definition", definition)
			.param("projector", this.projector)
			.param("generation", generation)
			.update();
		this.lanes.remove(generation);
		this.lanes.add(generation, lanes, 0);
		this.audit.add(this.projector, generation, actor, ProjectionAction.REBUILD_BEGUN_AGAIN, null,
				"the code handles something else now: " + definition);
	}

	/**
	 * Locks a lane until the transaction ends. Waits for a transaction that moves it,
	 * such as one whose commit was not answered.
	 * @param reader the name of the handout in its table
	 */
	public LockedLane lockedLane(int generation, int lane, String reader) {
		return this.lanes.locked(generation, lane, reader);
	}

	/** The position of each lane; -1 for one without a row. By the primary key. */
	public List<Long> lanes(int generation, int count) {
		return this.lanes.positions(generation, count);
	}

	/** Whether the generation is being filled, in place or beside the live one. */
	public boolean isUnderWay(int generation) {
		return found("p.status in ('FILLING', 'BUILDING') and p.generation = " + generation).isPresent();
	}

	/**
	 * Moves a lane in the transaction that settles its events up to the position. It
	 * never moves back.
	 */
	public void move(int generation, int lane, long position) {
		this.lanes.move(generation, lane, position);
	}

	/**
	 * Records that the live generation is filled, also in the audit.
	 * @param detail up to where, for the audit
	 */
	public void complete(int generation, String actor, String detail) {
		this.client.sql("""
				update %s set status = 'LIVE', live_at = clock_timestamp(), stream = null, stream_created = null
				 where projection_name = ? and generation = ?""".formatted(this.projections))
			.param(this.projector)
			.param(generation)
			.update();
		this.lanes.remove(generation);
		this.audit.add(this.projector, generation, actor, ProjectionAction.REBUILT, null, detail);
	}

}
