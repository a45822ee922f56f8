package dev.eventing.sdk.liveview.ledger;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.schema.EventingSchema;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The states of live views, in {@code projection_snapshots}. Which generation readers see
 * is in {@code projections}, and is looked up by the statement that needs it, so that a
 * switch changes nothing here. Each statement runs in the caller's transaction, or alone
 * if it only reads. Thread-safe.
 */
public final class LiveStates {

	/** By {@code projections_current} and the primary key. */
	private static final String READ = """
			select p.generation, p.live_epoch, p.status = 'LIVE', k.place, s.version, s.state::text, s.updated_at
			  from (select 1) one
			  left join %1$s p on p.projection_name = :view and %3$s
			  left join unnest(cast(:tenants as text[]), cast(:keys as text[])) with ordinality k(tenant, key, place) on true
			  left join %2$s s on s.projection_name = :view and s.generation = coalesce(p.generation, 1)
			                  and s.tenant_id = k.tenant and s.key = k.key
			 order by k.place""";

	private static final String LIVE = "p.status in ('LIVE', 'FILLING')";

	private final JdbcClient jdbc;

	private final String projections;

	private final String snapshots;

	/** Sends no query yet. */
	public LiveStates(JdbcOperations jdbc, EventingSchema schema) {
		this.jdbc = JdbcClient.create(jdbc);
		this.projections = schema.table("projections");
		this.snapshots = schema.table("projection_snapshots");
	}

	/** The states of the live generation, and which one that is. */
	public Found find(String view, List<Address> addresses) {
		return find(ProjectorId.of(view), addresses);
	}

	/** The states of a generation: the live one, or another by its number. */
	public Found find(ProjectorId generation, List<Address> addresses) {
		String which = generation.isLive() ? LIVE : "p.generation = " + generation.generation();
		List<Row> rows = this.jdbc.sql(READ.formatted(this.projections, this.snapshots, which))
			.param("view", generation.base())
			.param("tenants", addresses.stream().map((each) -> each.tenant().value()).toArray(String[]::new))
			.param("keys", addresses.stream().map(Address::key).toArray(String[]::new))
			.query((row, number) -> row(row))
			.list();
		Row first = rows.get(0);
		List<@Nullable Stored> states = new ArrayList<>(addresses.size());
		rows.stream().filter((row) -> row.place() > 0).forEach((row) -> states.add(row.state()));
		return new Found(first.generation(), first.liveEpoch(), first.isLive() && generation.isLive(), states);
	}

	private static Row row(ResultSet row) throws SQLException {
		Integer generation = row.getObject(1, Integer.class);
		Long epoch = row.getObject(2, Long.class);
		Long version = row.getObject(5, Long.class);
		Stored state = (version != null)
				? new Stored(version, row.getString(6), row.getObject(7, OffsetDateTime.class).toInstant()) : null;
		// no row of projections: no node has run the view yet, and its first generation
		// is 1
		return new Row((generation != null) ? generation : 1, (epoch != null) ? epoch : 1,
				generation == null || row.getBoolean(3), row.getLong(4), state);
	}

	private record Row(int generation, long liveEpoch, boolean isLive, long place, @Nullable Stored state) {
	}

	/**
	 * Writes states, unless one of them was changed since it was read.
	 * @param states what changed, with the versions that were read
	 * @return whether all are written; otherwise the caller rolls back
	 */
	public boolean write(String view, int generation, List<Changed> states) {
		return states.size() == this.jdbc
			.sql("""
					with new as (select * from unnest(cast(:tenants as text[]), cast(:keys as text[]), cast(:states as text[]),
					                                  cast(:befores as bigint[]), cast(:versions as bigint[]))
					                           as n(tenant, key, state, before, version)),
					     changed as (update %1$s s set state = n.state::jsonb, version = n.version, updated_at = clock_timestamp()
					                   from new n
					                  where n.before > 0 and s.projection_name = :view and s.generation = :generation
					                    and s.tenant_id = n.tenant and s.key = n.key and s.version = n.before
					                 returning 1),
					     added as (insert into %1$s (projection_name, generation, tenant_id, key, state, version)
					               select :view, :generation, n.tenant, n.key, n.state::jsonb, n.version
					                 from new n where n.before = 0
					                on conflict do nothing returning 1)
					select (select count(*) from changed) + (select count(*) from added)"""
				.formatted(this.snapshots))
			.param("tenants", states.stream().map((each) -> each.address().tenant().value()).toArray(String[]::new))
			.param("keys", states.stream().map((each) -> each.address().key()).toArray(String[]::new))
			.param("states", states.stream().map(Changed::json).toArray(String[]::new))
			.param("befores", states.stream().map(Changed::before).toArray(Long[]::new))
			.param("versions", states.stream().map(Changed::version).toArray(Long[]::new))
			.param("view", view)
			.param("generation", generation)
			.query(Long.class)
			.single();
	}

	/**
	 * Deletes a state. Its row and version stay: if the key has a state again, that has
	 * none of the versions which subscribers have of the former one.
	 * @return the version without it; empty if it did not exist
	 */
	public Optional<Long> delete(String view, int generation, Address address) {
		return this.jdbc.sql("""
				update %s set state = 'null', version = version + 1, updated_at = clock_timestamp()
				 where projection_name = ? and generation = ? and tenant_id = ? and key = ? and state <> 'null'
				returning version""".formatted(this.snapshots))
			.params(view, generation, address.tenant().value(), address.key())
			.query(Long.class)
			.optional();
	}

	/** Deletes all states of a generation. */
	public void deleteAll(String view, int generation) {
		this.jdbc.sql("delete from %s where projection_name = ? and generation = ?".formatted(this.snapshots))
			.params(view, generation)
			.update();
	}

	/**
	 * Deletes some states of generations that are retired, by the primary key.
	 * @return the number
	 */
	public static int sweep(JdbcOperations caller, EventingSchema schema, List<ProjectorId> gone) {
		int deleted = 0;
		for (ProjectorId each : gone) {
			deleted += caller.update("""
					delete from %1$s where ctid = any (array(
					    select ctid from %1$s where projection_name = ? and generation = ? limit 5000))"""
				.formatted(schema.table("projection_snapshots")), each.base(), each.generation());
		}
		return deleted;
	}

	/** The number of the live generation. */
	public int live(String view) {
		return find(view, List.of()).generation();
	}

	/** The version of the code that feeds the live generation; empty if none has. */
	public Optional<Integer> codeVersion(String view) {
		return this.jdbc
			.sql("select p.version from %s p where p.projection_name = ? and %s".formatted(this.projections, LIVE))
			.param(view)
			.query(Integer.class)
			.optional();
	}

	/** A page of the keys with states in the live generation, by the primary key. */
	public List<String> keys(String view, TenantId tenant, @Nullable String after, int limit) {
		return this.jdbc
			.sql("""
					select s.key from %2$s s
					 where s.projection_name = :view and s.tenant_id = :tenant and s.key > :after and s.state <> 'null'
					   and s.generation = coalesce((select p.generation from %1$s p where p.projection_name = :view and %3$s), 1)
					 order by s.key limit :limit"""
				.formatted(this.projections, this.snapshots, LIVE))
			.param("view", view)
			.param("tenant", tenant.value())
			.param("after", Objects.requireNonNullElse(after, ""))
			.param("limit", limit)
			.query(String.class)
			.list();
	}

	/**
	 * A state's place within a view.
	 */
	public record Address(TenantId tenant, String key) {
	}

	/**
	 * A state as it is stored.
	 *
	 * @param json its JSON; {@code null} if the state was deleted
	 */
	public record Stored(long version, String json, Instant updatedAt) {
	}

	/**
	 * States of one generation.
	 *
	 * @param liveEpoch the live epoch of the view
	 * @param isLive whether readers see the generation, and it is not being filled
	 * @param states in the order of the addresses; null where there is none
	 */
	public record Found(int generation, long liveEpoch, boolean isLive, List<@Nullable Stored> states) {
	}

	/**
	 * A state that changed.
	 *
	 * @param json its JSON
	 * @param before the version that was read; 0 if there was no state
	 * @param version its version now
	 */
	public record Changed(Address address, String json, long before, long version) {
	}

}
