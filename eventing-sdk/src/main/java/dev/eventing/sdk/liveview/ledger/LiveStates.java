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
import dev.eventing.sdk.jdbc.IndexedQuery;
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

	/**
	 * By {@code projections_current} and the primary key. With "offset 0" each state is
	 * looked up by all columns of the key: as a join, a plan without statistics compared
	 * all states of the view with all keys.
	 */
	private static final String READ = """
			select p.generation, p.live_epoch, p.status = 'LIVE', k.place, s.version, s.state::text, %4$s
			  from (select cast(? as text) as name) view
			  left join %1$s p on p.projection_name = view.name and %3$s
			  left join unnest(cast(? as text[]), cast(? as text[])) with ordinality k(tenant, key, place) on true
			  left join lateral (select s.version, s.state, s.updated_at from %2$s s
			                      where s.projection_name = view.name and s.generation = coalesce(p.generation, 1)
			                        and s.tenant_id = k.tenant and s.key = k.key offset 0) s on true
			 order by k.place""";

	/**
	 * Each state is looked up as in {@link #READ}, and changed where it lies. A row that
	 * another transaction changes meanwhile lies elsewhere afterwards.
	 */
	private static final String WRITE = """
			with new as (select * from unnest(cast(? as text[]), cast(? as text[]), cast(? as text[]),
			                                  cast(? as bigint[]), cast(? as bigint[]))
			                           as n(tenant, key, state, before, version)),
			     view as (select cast(? as text) as name, cast(? as integer) as generation),
			     found as materialized (
			         select n.state, n.version, s.place
			           from view cross join new n
			          cross join lateral (select s.ctid as place from %1$s s
			                               where s.projection_name = view.name and s.generation = view.generation
			                                 and s.tenant_id = n.tenant and s.key = n.key and s.version = n.before offset 0) s
			          where n.before > 0),
			     changed as (update %1$s s set state = f.state::jsonb, version = f.version, updated_at = clock_timestamp()
			                   from found f where s.ctid = f.place returning 1),
			     added as (insert into %1$s (projection_name, generation, tenant_id, key, state, version)
			               select view.name, view.generation, n.tenant, n.key, n.state::jsonb, n.version
			                 from view cross join new n where n.before = 0
			                on conflict do nothing returning 1)
			select (select count(*) from changed) + (select count(*) from added)""";

	private static final String LIVE = "p.status in ('LIVE', 'FILLING')";

	private static final String OF_NUMBER = "p.generation = cast(? as integer)";

	private final JdbcClient jdbc;

	private static final String UPDATED = "s.updated_at";

	/**
	 * A fold does not ask when, and to print a time costs as much as the other columns.
	 */
	private static final String NEVER = "null::timestamptz";

	private final IndexedQuery read;

	private final IndexedQuery foldLive;

	private final IndexedQuery foldOther;

	private final IndexedQuery write;

	private final String projections;

	private final String snapshots;

	/** Sends no query yet. */
	public LiveStates(JdbcOperations jdbc, EventingSchema schema) {
		this.jdbc = JdbcClient.create(jdbc);
		this.projections = schema.table("projections");
		this.snapshots = schema.table("projection_snapshots");
		this.read = new IndexedQuery(jdbc, READ.formatted(this.projections, this.snapshots, LIVE, UPDATED));
		this.foldLive = new IndexedQuery(jdbc, READ.formatted(this.projections, this.snapshots, LIVE, NEVER));
		this.foldOther = new IndexedQuery(jdbc, READ.formatted(this.projections, this.snapshots, OF_NUMBER, NEVER));
		this.write = new IndexedQuery(jdbc, WRITE.formatted(this.snapshots));
	}

	/** The states of the live generation, and which one that is. */
	public Found find(String view, List<Address> addresses) {
		return found(this.read.list((row, number) -> row(row), view, tenants(addresses), keys(addresses)), true);
	}

	/**
	 * The states of a generation, to fold events into them: those of the live one, or of
	 * another by its number. Without the times of their changes.
	 */
	public Found find(ProjectorId generation, List<Address> addresses) {
		List<Row> rows = generation.isLive()
				? this.foldLive.list((row, number) -> row(row), generation.base(), tenants(addresses), keys(addresses))
				: this.foldOther.list((row, number) -> row(row), generation.base(), generation.generation(),
						tenants(addresses), keys(addresses));
		return found(rows, generation.isLive());
	}

	private static Found found(List<Row> rows, boolean live) {
		Row first = rows.get(0);
		List<@Nullable Stored> states = new ArrayList<>(rows.size());
		rows.stream().filter((row) -> row.place() > 0).forEach((row) -> states.add(row.state()));
		return new Found(first.generation(), first.liveEpoch(), first.isLive() && live, states);
	}

	private static String[] tenants(List<Address> addresses) {
		return addresses.stream().map((each) -> each.tenant().value()).toArray(String[]::new);
	}

	private static String[] keys(List<Address> addresses) {
		return addresses.stream().map(Address::key).toArray(String[]::new);
	}

	private static Row row(ResultSet row) throws SQLException {
		Integer generation = row.getObject(1, Integer.class);
		Long epoch = row.getObject(2, Long.class);
		Long version = row.getObject(5, Long.class);
		OffsetDateTime updated = row.getObject(7, OffsetDateTime.class);
		Stored state = (version != null)
				? new Stored(version, row.getString(6), (updated != null) ? updated.toInstant() : null) : null;
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
		List<Long> written = this.write.list((row, number) -> row.getLong(1),
				states.stream().map((each) -> each.address().tenant().value()).toArray(String[]::new),
				states.stream().map((each) -> each.address().key()).toArray(String[]::new),
				states.stream().map(Changed::json).toArray(String[]::new),
				states.stream().map(Changed::before).toArray(Long[]::new),
				states.stream().map(Changed::version).toArray(Long[]::new), view, generation);
		return written.get(0) == states.size();
	}

	/**
	 * Deletes a state. Its row and version stay, so that a later state of the key has
	 * none of the versions of this one.
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

	/** The code that feeds the live generation; empty if none has. */
	public Optional<Feeding> feeding(String view) {
		return this.jdbc
			.sql("select p.version, p.definition from %s p where p.projection_name = ? and %s"
				.formatted(this.projections, LIVE))
			.param(view)
			.query((row, number) -> new Feeding(row.getInt(1), row.getString(2)))
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
	 * The code that feeds a generation.
	 *
	 * @param version its version
	 * @param definition what it tells of itself
	 */
	public record Feeding(int version, String definition) {
	}

	/**
	 * A state as it is stored.
	 *
	 * @param json its JSON; {@code null} if the state was deleted
	 * @param updatedAt when it was changed last; null if that was not asked
	 */
	public record Stored(long version, String json, @Nullable Instant updatedAt) {
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
