package dev.eventing.sdk.projection.ledger;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import dev.eventing.sdk.deadletter.StorableText;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projection.BuildOptions;
import dev.eventing.sdk.projection.ProjectionAction;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.Until;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The generations of a projector's read model, in {@code projections}, and how far the
 * lanes that fill one are, in {@code projection_lanes}. Every statement runs in the
 * caller's transaction, or alone if it only reads. Thread-safe.
 */
public final class GenerationLedger {

	private final JdbcClient client;

	private final String projector;

	private final String projections;

	private final LaneLedger lanes;

	private final String audited;

	private final String nodes;

	private final String checkpoints;

	private final String positions;

	private final ProjectionAudit audit;

	private final String lastSwitch;

	/** Sends no query yet. */
	public GenerationLedger(JdbcOperations jdbc, EventingSchema schema, ProjectorId projector) {
		this.client = JdbcClient.create(jdbc);
		this.projector = projector.base();
		this.projections = schema.table("projections");
		this.lanes = new LaneLedger(jdbc, schema, projector);
		this.audited = schema.table("projection_audit");
		this.nodes = schema.table("projector_nodes");
		this.checkpoints = schema.table("projector_checkpoints");
		this.positions = schema.table("projector_positions");
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
		return (stream != null) ? new SourceStream(stream, instant(row, 7).orElseThrow(), row.getObject(8, Long.class))
				: null;
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
	 * Whether a generation stands beside the live one, and waits until a transaction that
	 * begins or ends one is over. By {@code projections_beside}.
	 */
	public Optional<Beside> lockBeside() {
		return this.client.sql("""
				select generation, status, schema_name, tables from %s
				 where projection_name = ? and status in ('BUILDING', 'READY', 'PAST', 'STANDBY', 'STALE', 'FAILED')
				   for update""".formatted(this.projections))
			.param(this.projector)
			.query((row, number) -> new Beside(row.getInt(1), ProjectionGeneration.Status.valueOf(row.getString(2)),
					row.getString(3), List.of((String[]) row.getArray(4).getArray())))
			.optional();
	}

	/**
	 * Records that a generation has met the end of its source.
	 * @return false if it had before
	 */
	public boolean ready(int generation) {
		return this.client.sql("""
				update %s set status = 'READY'
				 where projection_name = ? and generation = ? and status = 'BUILDING'""".formatted(this.projections))
			.param(this.projector)
			.param(generation)
			.update() > 0;
	}

	/**
	 * Records that a generation is filled that shows the read model as it was, and
	 * forgets its lanes.
	 * @return false if that is recorded already
	 */
	public boolean past(int generation) {
		boolean news = this.client.sql("""
				update %s set status = 'PAST'
				 where projection_name = ? and generation = ? and status = 'BUILDING'""".formatted(this.projections))
			.param(this.projector)
			.param(generation)
			.update() > 0;
		if (news) {
			this.lanes.remove(generation);
		}
		return news;
	}

	/**
	 * Records that a generation beside the live one has failed.
	 * @return false if that is recorded already
	 */
	public boolean fail(int generation, String failure) {
		return this.client.sql("""
				update %s set status = 'FAILED', failure = :failure
				 where projection_name = :projector and generation = :generation
				   and status in ('BUILDING', 'READY', 'STANDBY')""".formatted(this.projections))
			.param("failure", StorableText.of(failure))
			.param("projector", this.projector)
			.param("generation", generation)
			.update() > 0;
	}

	/** Records what operators should know of a generation, unless that is done. */
	public void note(int generation, String note) {
		this.client
			.sql("""
					update %s set note = :note
					 where projection_name = :projector and generation = :generation and note is null"""
				.formatted(this.projections))
			.param("note", StorableText.of(note))
			.param("projector", this.projector)
			.param("generation", generation)
			.update();
	}

	/**
	 * The generation that readers see; empty if no node has run the projector yet. By
	 * {@code projections_current}.
	 */
	public Optional<Live> live() {
		return this.client.sql("""
				select generation, version, definition, tables from %s
				 where projection_name = ? and status in ('FILLING', 'LIVE')""".formatted(this.projections))
			.param(this.projector)
			.query((row, number) -> new Live(row.getInt(1),
					new Code(row.getInt(2), row.getString(3), List.of((String[]) row.getArray(4).getArray()))))
			.optional();
	}

	/**
	 * Whether neither the live generation nor a node that reports has a newer version of
	 * the projector.
	 */
	public boolean isNewest(int version) {
		return this.client
			.sql("""
					select not exists (select from %s where projection_name = :projector and status = 'LIVE'
					                      and version > :version)
					   and not exists (select from %s where projector_name = :projector and version > :version
					                      and state <> 'STOPPED'
					                      and reported_at > clock_timestamp() - interval '15 seconds')"""
				.formatted(this.projections, this.nodes))
			.param("projector", this.projector)
			.param("version", version)
			.query(Boolean.class)
			.single();
	}

	/**
	 * Records the first generation, which this code feeds, unless that is recorded. One
	 * that has events applied already is of version 1. By the primary keys.
	 */
	public void adopt(Code code) {
		this.client.sql("""
				insert into %1$s (projection_name, generation, status, definition, tables, version, live_at)
				select :projector, 1, 'LIVE', :definition, :tables,
				       case when exists (select from %2$s where projector_name = :projector)
				              or exists (select from %3$s where projector_name = :projector) then 1 else :version end,
				       clock_timestamp()
				 where not exists (select from %1$s
				                    where projection_name = :projector and status in ('FILLING', 'LIVE'))
				on conflict do nothing""".formatted(this.projections, this.checkpoints, this.positions))
			.param("projector", this.projector)
			.param("definition", code.definition())
			.param("tables", code.tables().toArray(String[]::new))
			.param("version", code.version())
			.update();
	}

	/** Records the code that feeds the live generation from now on. */
	public void define(int generation, Code code) {
		this.client
			.sql("""
					update %s set definition = :definition, tables = :tables
					 where projection_name = :projector and generation = :generation and status = 'LIVE'"""
				.formatted(this.projections))
			.param("definition", code.definition())
			.param("tables", code.tables().toArray(String[]::new))
			.param("projector", this.projector)
			.param("generation", generation)
			.update();
	}

	/**
	 * Which of these tables other projectors declare, one sentence each. Names are
	 * compared as PostgreSQL folds them. Reads all generations that are not retired.
	 */
	public List<String> overlaps(Collection<String> tables) {
		return new DeclaredTables(this.client, this.projections).overlaps(this.projector, tables);
	}

	/**
	 * Makes the generation beside the live one live, and the live one a standby.
	 * @param next the generation that becomes live
	 * @param former the one that was
	 * @param at the position up to which both have settled all events, and none after it
	 */
	public void exchange(int next, Standby former, long at) {
		// Each index allows one generation at a time: the next one is neither meanwhile.
		set(next, "status = 'RETIRED'");
		this.lanes.remove(next);
		this.client.sql("""
				update %1$s p set status = 'STANDBY', filled_to = null, schema_name = :schema, tables = :tables,
				       live_schema = null, no_rollback = null, stream = n.stream, stream_created = n.stream_created
				  from %1$s n
				 where p.projection_name = :projector and p.generation = :generation
				   and n.projection_name = :projector and n.generation = :next""".formatted(this.projections))
			.param("next", next)
			.param("projector", this.projector)
			.param("generation", former.generation())
			.param("schema", former.schema())
			.param("tables", former.tables().toArray(String[]::new))
			.update();
		this.lanes.add(former.generation(), former.lanes(), at);
		set(next, "status = 'LIVE', live_at = clock_timestamp(), live_transaction = pg_current_xact_id()::text::bigint,"
				+ " schema_name = null, stream = null, stream_created = null, filled_to = " + at);
	}

	private void set(int generation, String change) {
		this.client
			.sql("update %s set %s where projection_name = ? and generation = ?".formatted(this.projections, change))
			.param(this.projector)
			.param(generation)
			.update();
	}

	/**
	 * A generation that was live.
	 *
	 * @param generation its number
	 * @param schema where its tables lie now
	 * @param tables its tables
	 * @param lanes the number of lanes that feed it
	 */
	public record Standby(int generation, String schema, Collection<String> tables, int lanes) {
	}

	/**
	 * What feeds a generation.
	 *
	 * @param version the version that it declares
	 * @param definition what it handles, as text
	 * @param tables the tables that it declares, in the order of their names
	 */
	public record Code(int version, String definition, List<String> tables) {

		public Code {
			tables = tables.stream().sorted().toList();
		}

	}

	/**
	 * The generation that readers see.
	 *
	 * @param generation its number
	 * @param code what feeds it
	 */
	public record Live(int generation, Code code) {
	}

	/** Records that a generation is gone, and forgets its lanes. */
	public void retire(int generation) {
		set(generation,
				"status = 'RETIRED', retired_at = clock_timestamp(), schema_name = null, live_schema = null, tables = '{}'");
		this.lanes.remove(generation);
	}

	/**
	 * Begins the generation that is being filled again, because the code handles
	 * something else now.
	 */
	public void beginAgain(int generation, int lanes, String definition) {
		this.client.sql("""
				update %s set definition = :definition, begun_at = clock_timestamp()
				 where projection_name = :projector and generation = :generation""".formatted(this.projections))
			.param("definition", definition)
			.param("projector", this.projector)
			.param("generation", generation)
			.update();
		this.lanes.remove(generation);
		this.lanes.add(generation, lanes, 0);
	}

	/**
	 * The position of a lane, locked until the transaction ends. Waits for a transaction
	 * that moves it, such as one whose commit was not answered.
	 */
	public long lockedPosition(int generation, int lane) {
		return this.lanes.lockedPosition(generation, lane);
	}

	/**
	 * Moves a lane in the transaction that settles its events up to the position. It
	 * never moves back.
	 */
	public void move(int generation, int lane, long position) {
		this.lanes.move(generation, lane, position);
	}

	/** Records that a generation is filled. */
	public void complete(int generation) {
		set(generation, "status = 'LIVE', live_at = clock_timestamp(), stream = null, stream_created = null");
		this.lanes.remove(generation);
	}

	/** Adds to the audit what was done to a generation, or to the projector if null. */
	public void audit(@Nullable Integer generation, String actor, ProjectionAction action, @Nullable String reason,
			@Nullable String detail) {
		this.audit.add(this.projector, generation, actor, action, reason, detail);
	}

	/** All generations, the newest first. By the primary key. */
	public List<ProjectionGeneration> all() {
		return this.client
			.sql("""
					select generation, status, filled_to, begun_at, live_at, retired_at,
					       coalesce(schema_name, live_schema), failure, version,
					       nullif(concat_ws('; ', note, case status when 'STANDBY' then 'cannot roll back: ' || no_rollback end), '')
					  from %s
					 where projection_name = ? order by generation desc"""
				.formatted(this.projections))
			.param(this.projector)
			.query((row, number) -> new ProjectionGeneration(row.getInt(1), row.getInt(9),
					ProjectionGeneration.Status.valueOf(row.getString(2)), row.getObject(3, Long.class),
					new ProjectionGeneration.Times(instant(row, 4).orElseThrow(), instant(row, 5).orElse(null),
							instant(row, 6).orElse(null)),
					row.getString(7), row.getString(8), row.getString(10)))
			.list();
	}

	private static Optional<Instant> instant(ResultSet row, int column) throws SQLException {
		return Optional.ofNullable(row.getObject(column, OffsetDateTime.class)).map(OffsetDateTime::toInstant);
	}

}
