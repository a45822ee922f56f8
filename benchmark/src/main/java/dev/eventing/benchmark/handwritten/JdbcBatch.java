package dev.eventing.benchmark.handwritten;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

import dev.eventing.benchmark.contender.ReadModel;

/** One statement for each event, sent together. */
final class JdbcBatch implements Effects {

	private final PreparedStatement update;

	JdbcBatch(Connection connection) throws SQLException {
		this.update = connection.prepareStatement(ReadModel.UPDATE);
	}

	@Override
	public void apply(List<Incoming> fresh) throws SQLException {
		for (Incoming event : fresh) {
			StatementPerEvent.bind(this.update, event.payload());
			this.update.addBatch();
		}
		this.update.executeBatch();
	}

	@Override
	public void close() throws SQLException {
		this.update.close();
	}

}
