package dev.eventing.sdk.projection.ledger;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import dev.eventing.sdk.projection.tables.OwnedRows;
import dev.eventing.sdk.projection.tables.OwnedRows.Ownership;
import dev.eventing.sdk.schema.ErasedCount;
import dev.eventing.sdk.schema.ErasedStream;
import dev.eventing.sdk.schema.ErasureStatement;
import dev.eventing.sdk.schema.ErasureStep;
import dev.eventing.sdk.schema.EventingSchema;
import dev.eventing.sdk.schema.TableRights;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Deletes the rows of a stream from the read models of all generations, as their
 * projectors declare them, and what projectors keep of its events. Thread-safe.
 */
public final class ReadModelErasure implements ErasureStep {

	/** An owner that is lost is taken over only while no erasure has its lease. */
	private static final String LONGEST_WAIT = "10s";

	private final String projections;

	private final String ownership;

	private final String claims;

	private final String leases;

	private final String epochs;

	private final String inline;

	private final List<ErasureStatement> texts;

	private final String attempts;

	private final String projectors;

	private final String states;

	/** Sends no query yet. */
	public ReadModelErasure(EventingSchema schema) {
		this.projections = schema.table("projections");
		this.ownership = schema.table("projection_ownership");
		this.claims = schema.table("projection_claims");
		this.leases = schema.table("leases");
		this.epochs = schema.table("lease_epochs");
		this.inline = schema.table("projection_inline");
		this.attempts = schema.table("projector_attempts");
		this.projectors = """
				select projector_name from (
				  select projection_name as projector_name from %s
				  union select projector_name from %s union select projector_name from %s
				  union select projector_name from %s) known where strpos(projector_name, '#') = 0""".formatted(
				this.projections, schema.table("projector_nodes"), schema.table("projector_checkpoints"),
				schema.table("projector_positions"));
		this.states = schema.table("projection_snapshots");
		this.texts = texts(schema);
	}

	/**
	 * The texts that may quote an event of any stream: nothing shows of which one. The
	 * last 100 runs of a check are kept.
	 */
	private static List<ErasureStatement> texts(EventingSchema schema) {
		String checks = schema.table("projection_checks");
		String part = " and detail is not null and detail <> 'erased'";
		return List.of(
				ErasureStatement.setting("samples of reconciliations", checks, "sample = '[]'", "sample <> '[]'"),
				ErasureStatement.setting("errors of reconciliations", checks, "error = 'erased'", "error <> 'erased'"),
				ErasureStatement.setting("failures of rebuilds of parts", schema.table("projection_requests"),
						"detail = 'erased'",
						"action = 'REBUILD_SCOPE' and status in ('PENDING', 'FAILED', 'EXPIRED')" + part),
				ErasureStatement.setting("audited failures of rebuilds of parts", schema.table("projection_audit"),
						"detail = 'erased'", "action = 'SCOPE_FAILED'" + part));
	}

	/** A query of the names of all projectors that ever ran. */
	public String projectors() {
		return this.projectors;
	}

	@Override
	public Set<String> tables() {
		return Set.of("projector_attempts", "projection_checks", "projection_claims", "projection_requests",
				"projection_audit");
	}

	@Override
	public List<TableRights> rights() {
		return Stream.concat(
				Stream
					.of("projections", "projection_ownership", "projection_inline", "projection_snapshots",
							"projector_nodes", "projector_checkpoints", "projector_positions")
					.map((table) -> TableRights.of(table, "select")),
				Stream.of(TableRights.of("projection_claims", "select", "insert"),
						TableRights.of("projector_attempts", "select", "delete"),
						TableRights.of("leases", "select", "delete"),
						TableRights.of("lease_epochs", "select", "delete"),
						TableRights.of("projection_checks", "select", "update"),
						TableRights.of("projection_requests", "select", "update"),
						TableRights.of("projection_audit", "select", "update")))
			.toList();
	}

	@Override
	public List<ErasureStatement> statements(ErasedStream stream) {
		ErasureStatement attempts = ErasureStatement.deleting("attempts of handlers", this.attempts,
				"tenant_id = :tenant and event_id in (" + stream.eventIds() + ")");
		return Stream.concat(Stream.of(attempts), this.texts.stream()).toList();
	}

	@Override
	public List<ErasedCount> plan(ErasedStream stream, JdbcClient jdbc) {
		List<ErasedCount> planned = new ArrayList<>(ErasureStep.super.plan(stream, jdbc));
		owned(stream, jdbc).forEach((each) -> planned.add(new ErasedCount(each.name(), each.rows().count())));
		return planned;
	}

	@Override
	public List<ErasedCount> erase(ErasedStream stream, JdbcClient jdbc) {
		fence(stream, jdbc);
		List<ErasedCount> erased = new ArrayList<>(ErasureStep.super.erase(stream, jdbc));
		owned(stream, jdbc).forEach((each) -> erased.add(new ErasedCount(each.name(), each.rows().delete())));
		return erased;
	}

	/**
	 * Ends the tenures of generations that are filled without claims, and of inline
	 * projectors: events that they have read before, they read again. Waits for their
	 * transactions, ten seconds for each. A generation that is fed from a stream gets
	 * claims.
	 */
	private void fence(ErasedStream stream, JdbcClient jdbc) {
		List<String> fenced = jdbc
			.sql("""
					select 'projector/' || projection_name
					       || case when status = 'FILLING' then '' else '#' || generation end
					  from %s where status in ('FILLING', 'BUILDING', 'READY', 'STANDBY')
					union select 'projector/' || projection_name from %s order by 1""".formatted(this.projections,
					this.inline))
			.query(String.class)
			.list();
		end(fenced, jdbc);
		jdbc.sql("""
				insert into %s (projection_name, generation, event_id, tenant_id)
				select p.projection_name, p.generation, e.event_id, :tenant from %s p cross join (%s) e
				 where p.stream is not null and p.status in ('FILLING', 'BUILDING', 'READY', 'STANDBY')
				 order by 1, 2, 3
				on conflict (projection_name, generation, event_id, tenant_id) do nothing""".formatted(this.claims,
				this.projections, stream.eventIds()))
			.params(stream.params())
			.update();
	}

	private void end(List<String> fenced, JdbcClient jdbc) {
		String former = jdbc.sql("select current_setting('lock_timeout')").query(String.class).single();
		limitLocks(LONGEST_WAIT, jdbc);
		// By the primary keys. The leases are removed for good. A node that needs one
		// takes it again, in another epoch. In the order of a takeover, which would
		// otherwise wait for this while this waits for it. An owner that is not renewed
		// meanwhile begins no more transactions.
		for (String lease : fenced) {
			jdbc.sql("delete from %s where lease_name = ?".formatted(this.leases)).param(lease).update();
			jdbc.sql("delete from %s where lease_name = ?".formatted(this.epochs)).param(lease).update();
		}
		limitLocks(former, jdbc);
	}

	private static void limitLocks(String longest, JdbcClient jdbc) {
		jdbc.sql("select set_config('lock_timeout', ?, true)").param(longest).query(String.class).single();
	}

	@Override
	public List<String> notErased(ErasedStream stream, JdbcClient jdbc) {
		List<String> notErased = new ArrayList<>(undeclaredTables(jdbc));
		notErased.addAll(undeclaredReadModels(jdbc));
		notErased.addAll(liveViews(stream, jdbc));
		declared(jdbc).stream()
			.filter((each) -> each.find(stream, jdbc).isEmpty())
			.forEach((each) -> notErased
				.add(each.name() + ": it is not found with the columns that its projector declares"));
		return notErased;
	}

	private List<String> undeclaredTables(JdbcClient jdbc) {
		return jdbc
			.sql("""
					select 'table "' || t.name || '" of projector "' || p.projection_name || '", generation ' || p.generation
					       || ': the projector does not declare which of its rows belong to a stream'
					  from %s p cross join unnest(p.tables) t (name)
					 where p.status <> 'RETIRED'
					   and not exists (select from %s o where o.projection_name = p.projection_name
					                      and o.version = p.version and o.table_name = t.name)
					 order by p.projection_name, p.generation, t.name"""
				.formatted(this.projections, this.ownership))
			.query(String.class)
			.list();
	}

	private List<String> undeclaredReadModels(JdbcClient jdbc) {
		return jdbc.sql("""
				select 'read model of projector "' || k.projector_name || '": it declares no tables'
				  from (%s) k
				 where not exists (select from %s p where p.projection_name = k.projector_name and p.tables <> '{}'
				                      and p.status <> 'RETIRED')
				   and not exists (select from %s o where o.projection_name = k.projector_name)
				   and not exists (select from %s s where s.projection_name = k.projector_name)
				 order by k.projector_name""".formatted(this.projectors, this.projections, this.ownership, this.states))
			.query(String.class)
			.list();
	}

	/**
	 * A state has no stream, and its key is what the code of the view says. By the
	 * primary keys.
	 */
	private List<String> liveViews(ErasedStream stream, JdbcClient jdbc) {
		return jdbc.sql("""
				select 'states of live view "' || p.projection_name || '", generation ' || p.generation
				       || ': not erased: rebuild the view or the key'
				  from %s p
				 where exists (select from %s s where s.projection_name = p.projection_name
				                  and s.generation = p.generation and s.tenant_id = :tenant)
				 order by p.projection_name, p.generation""".formatted(this.projections, this.states))
			.param("tenant", stream.tenantId())
			.query(String.class)
			.list();
	}

	@Override
	public List<String> missingRights(ErasedStream stream, JdbcClient jdbc, boolean looks) {
		List<String> missing = new ArrayList<>(unusableSchemas(jdbc));
		if (!missing.isEmpty()) {
			return missing;
		}
		for (Owned each : owned(stream, jdbc)) {
			List<String> rights = each.rows().missingRights();
			if (rights.contains("select") || (!looks && !rights.isEmpty())) {
				missing.add(String.join(", ", rights) + " on " + each.rows().table());
			}
			else if (each.rows().areHidden() && !looks) {
				missing.add("bypassrls: row level security may hide rows of " + each.rows().table());
			}
		}
		return missing.stream().distinct().toList();
	}

	/** No table can be found in them. */
	private List<String> unusableSchemas(JdbcClient jdbc) {
		return jdbc.sql("""
				select 'usage on schema ' || quote_ident(nspname) from pg_namespace
				 where nspname = any (?) and not has_schema_privilege(oid, 'USAGE') order by nspname""")
			.param(declared(jdbc).stream().map(Declared::schema).filter(Objects::nonNull).toArray(String[]::new))
			.query(String.class)
			.list();
	}

	private List<Owned> owned(ErasedStream stream, JdbcClient jdbc) {
		return declared(jdbc).stream()
			.flatMap((each) -> each.find(stream, jdbc).map((rows) -> new Owned(each.name(), rows)).stream())
			.toList();
	}

	/**
	 * The tables that are declared, of each generation that is not retired. A projector
	 * whose nodes compete has no generations.
	 */
	private List<Declared> declared(JdbcClient jdbc) {
		return jdbc.sql("""
				select o.projection_name, coalesce(p.generation, 1),
				       case when p.status in ('FILLING', 'LIVE') then p.live_schema else p.schema_name end,
				       o.table_name, o.tenant_column, o.stream_column, o.stream_prefix
				  from %2$s o
				  left join %1$s p on p.projection_name = o.projection_name and p.version = o.version
				       and p.status <> 'RETIRED'
				 where p.generation is not null
				    or not exists (select from %1$s any_one where any_one.projection_name = o.projection_name)
				 order by 1, 2, 4""".formatted(this.projections, this.ownership))
			.query((row, number) -> new Declared(row.getString(1), row.getInt(2), row.getString(3),
					new Ownership(row.getString(4), row.getString(5), row.getString(6), row.getString(7))))
			.list();
	}

	private record Declared(String projector, int generation, @Nullable String schema, Ownership ownership) {

		String name() {
			return "rows of table \"%s\" of projector \"%s\", generation %s".formatted(this.ownership.table(),
					this.projector, this.generation);
		}

		Optional<OwnedRows> find(ErasedStream stream, JdbcClient jdbc) {
			return OwnedRows.find(jdbc, this.schema, this.ownership, stream.tenantId(), stream.streamId());
		}

	}

	private record Owned(String name, OwnedRows rows) {
	}

}
