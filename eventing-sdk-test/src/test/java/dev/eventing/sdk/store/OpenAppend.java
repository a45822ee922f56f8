package dev.eventing.sdk.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

import dev.eventing.sdk.test.server.TestServers;

/** A transaction that appends and stays open, on its own connection. */
final class OpenAppend implements AutoCloseable {

	private final Connection connection;

	private OpenAppend(Connection connection) {
		this.connection = connection;
	}

	static OpenAppend in(StoreWorld world) {
		try {
			Connection connection = TestServers.postgres().dataSource(world.url()).getConnection();
			connection.setAutoCommit(false);
			return new OpenAppend(connection);
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Draws a position, as version 1 of the stream. */
	void append(String streamId) {
		execute("""
				insert into eventing.events
				  (event_id, tenant_id, stream_id, stream_version, event_type, occurred_at, payload, metadata)
				values (gen_random_uuid(), 'acme', '%s', 1, 'Noted', now(), '{}', '{"source": "test"}')
				""".formatted(streamId));
	}

	void execute(String sql) {
		try (Statement statement = this.connection.createStatement()) {
			statement.execute(sql);
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	void commit() {
		execute("commit");
	}

	void rollBack() {
		execute("rollback");
	}

	@Override
	public void close() {
		try {
			this.connection.close();
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
