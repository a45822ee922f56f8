package dev.eventing.sdk.liveview.ledger;

import java.util.Collection;
import java.util.List;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Which live views a node owns, as the database has it. Thread-safe. */
public final class LiveOwners {

	/**
	 * The mark of the server and its tables. A database with another mark may have older
	 * states.
	 */
	private static final String SERVER = """
			with server as (select extract(epoch from pg_postmaster_start_time()) || ' '
			                       || (select oid from pg_database where datname = current_database()) || ' '
			                       || coalesce(pg_relation_filenode('%3$s'), 0) as mark)
			""";

	/**
	 * By the primary key of leases, and projections_current. While a view is filled in
	 * place nothing is pushed, so its subscribers hear no owner, and read.
	 */
	private static final String OWNED = SERVER + """
			select p.projection_name, p.live_epoch, l.token::text, p.live_server is not distinct from server.mark
			  from server
			  cross join unnest(cast(:views as text[]), cast(:leases as text[])) v(view, lease)
			  join %1$s l on l.lease_name = v.lease and l.owner = :node and l.expires_at > clock_timestamp()
			  join %2$s p on p.projection_name = v.view and p.status = 'LIVE'""";

	/**
	 * The clock makes an epoch that subscribers do not have, also if the former ones are
	 * lost.
	 */
	private static final String MARK = SERVER + """
			update %2$s p
			   set live_server = server.mark,
			       live_epoch = case when p.live_server is null then p.live_epoch
			           else greatest(p.live_epoch + 1, (extract(epoch from clock_timestamp()) * 1000)::bigint) end
			  from server
			  cross join unnest(cast(:views as text[]), cast(:leases as text[])) v(view, lease)
			  join %1$s l on l.lease_name = v.lease and l.owner = :node and l.expires_at > clock_timestamp()
			 where p.projection_name = v.view and p.status = 'LIVE' and p.live_server is distinct from server.mark
			returning p.projection_name, p.live_epoch, l.token::text, true""";

	private final JdbcClient jdbc;

	private final String owned;

	private final String mark;

	/** Sends no query yet. */
	public LiveOwners(JdbcOperations jdbc, EventingSchema schema) {
		this.jdbc = JdbcClient.create(jdbc);
		String states = schema.table("projection_snapshots").replace("'", "''");
		this.owned = OWNED.formatted(schema.table("leases"), schema.table("projections"), states);
		this.mark = MARK.formatted(schema.table("leases"), schema.table("projections"), states);
	}

	/**
	 * Those of these views whose live generation the node owns now. Where the states may
	 * have been set back since the last call of any owner, by a failover or a restored
	 * backup, the view has another live epoch from now on.
	 */
	public List<Owned> of(String node, Collection<String> views) {
		List<Found> found = query(this.owned, node, views);
		if (found.stream().allMatch(Found::isSameServer)) {
			return found.stream().map(Found::owned).toList();
		}
		query(this.mark, node, views);
		return query(this.owned, node, views).stream().map(Found::owned).toList();
	}

	private List<Found> query(String sql, String node, Collection<String> views) {
		return this.jdbc.sql(sql)
			.param("views", views.toArray(String[]::new))
			.param("leases", views.stream().map((view) -> ProjectorId.of(view).lease()).toArray(String[]::new))
			.param("node", node)
			.query((row, number) -> new Found(new Owned(row.getString(1), row.getLong(2), row.getString(3)),
					row.getBoolean(4)))
			.list();
	}

	private record Found(Owned owned, boolean isSameServer) {
	}

	/**
	 * A view that the node owns.
	 *
	 * @param liveEpoch its live epoch
	 * @param token the token of the lease, which is new with each owner
	 */
	public record Owned(String view, long liveEpoch, String token) {
	}

}
