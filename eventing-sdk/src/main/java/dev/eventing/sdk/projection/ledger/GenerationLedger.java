package dev.eventing.sdk.projection.ledger;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

import dev.eventing.sdk.deadletter.StorableText;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projection.ProjectionAction;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The generations of a projector's read model, in {@code projections}: which is live, and
 * which stands beside it. {@link FillingLedger} has what fills them. Every statement runs
 * in the caller's transaction, or alone if it only reads. Thread-safe.
 */
public final class GenerationLedger {

	private final JdbcClient client;

	private final String projector;

	private final String projections;

	private final LaneLedger lanes;

	private final String nodes;

	private final String checkpoints;

	private final String positions;

	private final ProjectionAudit audit;

	private final String correction;

	/** Sends no query yet. */
	public GenerationLedger(JdbcOperations jdbc, EventingSchema schema, ProjectorId projector) {
		this.client = JdbcClient.create(jdbc);
		this.projector = projector.base();
		this.projections = schema.table("projections");
		this.lanes = new LaneLedger(jdbc, schema, projector);
		this.nodes = schema.table("projector_nodes");
		this.checkpoints = schema.table("projector_checkpoints");
		this.positions = schema.table("projector_positions");
		this.audit = new ProjectionAudit(this.client, schema);
		this.correction = LastSwitch.correction(schema);
	}

	/**
	 * The generation beside the live one, locked. Waits until a transaction that begins
	 * or ends one is over. By {@code projections_beside}.
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
				select generation, version, definition, tables, status = 'FILLING' from %s
				 where projection_name = ? and status in ('FILLING', 'LIVE')""".formatted(this.projections))
			.param(this.projector)
			.query((row, number) -> new Live(row.getInt(1),
					new Code(row.getInt(2), row.getString(3), List.of((String[]) row.getArray(4).getArray())),
					row.getBoolean(5)))
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
	 * Records the first generation, which this code feeds, unless that is recorded. If
	 * the projector has applied events already, it is of version 1. By the primary keys.
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
		// The indexes allow one live generation and one beside it. So the next one is
		// retired for a moment.
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

	/**
	 * Records by which transaction a generation became live. Called in it, after its
	 * entry of the audit.
	 */
	public void switched(int generation) {
		this.client.sql(this.correction).params(this.projector, this.projector, generation).update();
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
	 * @param isFilling whether it is being filled
	 */
	public record Live(int generation, Code code, boolean isFilling) {
	}

	/** Records that a generation is gone, and forgets its lanes. */
	public void retire(int generation) {
		set(generation,
				"status = 'RETIRED', retired_at = clock_timestamp(), schema_name = null, live_schema = null, tables = '{}'");
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
