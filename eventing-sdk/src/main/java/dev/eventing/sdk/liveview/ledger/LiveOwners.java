package dev.eventing.sdk.liveview.ledger;

import java.util.Collection;
import java.util.List;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Which live views a node owns, as the database has it. Thread-safe. */
public final class LiveOwners {

	private final JdbcClient jdbc;

	private final String sql;

	/** Sends no query yet. */
	public LiveOwners(JdbcOperations jdbc, EventingSchema schema) {
		this.jdbc = JdbcClient.create(jdbc);
		// By the primary key of leases, and projections_current. While a view is filled
		// in
		// place nothing is pushed, so its subscribers hear no owner, and read.
		this.sql = """
				select p.projection_name, p.live_epoch, l.token::text
				  from unnest(cast(:views as text[]), cast(:leases as text[])) v(view, lease)
				  join %s l on l.lease_name = v.lease and l.owner = :node and l.expires_at > clock_timestamp()
				  join %s p on p.projection_name = v.view and p.status = 'LIVE'""".formatted(schema.table("leases"),
				schema.table("projections"));
	}

	/** Those of these views whose live generation the node owns now. */
	public List<Owned> of(String node, Collection<String> views) {
		return this.jdbc.sql(this.sql)
			.param("views", views.toArray(String[]::new))
			.param("leases", views.stream().map((view) -> ProjectorId.of(view).lease()).toArray(String[]::new))
			.param("node", node)
			.query((row, number) -> new Owned(row.getString(1), row.getLong(2), row.getString(3)))
			.list();
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
