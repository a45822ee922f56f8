package dev.eventing.benchmark.handwritten;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Finds which events of a batch are fresh; of one connection. */
final class Claims implements AutoCloseable {

	// The primary key is the lock; sorted, so that two batches cannot deadlock.
	private static final String CLAIM = """
			insert into eventing.processed_events (projector_name, event_id, tenant_id)
			select ?, u.event_id, u.tenant_id
			  from unnest(?::uuid[], ?::text[]) as u (event_id, tenant_id)
			 order by u.event_id, u.tenant_id
			on conflict do nothing
			returning event_id""";

	private final Connection connection;

	private final PreparedStatement claim;

	Claims(Connection connection, String projector) throws SQLException {
		this.connection = connection;
		this.claim = connection.prepareStatement(CLAIM);
		this.claim.setString(1, projector);
	}

	/** One round trip for all. */
	List<Incoming> fresh(List<Incoming> batch) throws SQLException {
		this.claim.setArray(2, this.connection.createArrayOf("uuid", batch.stream().map(Incoming::id).toArray()));
		this.claim.setArray(3, this.connection.createArrayOf("text", batch.stream().map(Incoming::tenant).toArray()));
		Set<UUID> ids = new HashSet<>();
		try (ResultSet row = this.claim.executeQuery()) {
			while (row.next()) {
				ids.add(row.getObject(1, UUID.class));
			}
		}
		List<Incoming> fresh = new ArrayList<>(batch.size());
		for (Incoming event : batch) {
			if (ids.remove(event.id())) {
				fresh.add(event);
			}
		}
		return fresh;
	}

	@Override
	public void close() throws SQLException {
		this.claim.close();
	}

}
