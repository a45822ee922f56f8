package dev.eventing.benchmark.handwritten;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

import dev.eventing.benchmark.contender.AccountChanged;
import dev.eventing.benchmark.contender.ReadModel;

/** One statement and one round trip for each event. */
final class StatementPerEvent implements Effects {

	private final PreparedStatement update;

	StatementPerEvent(Connection connection) throws SQLException {
		this.update = connection.prepareStatement(ReadModel.UPDATE);
	}

	@Override
	public void apply(List<Incoming> fresh) throws SQLException {
		for (Incoming event : fresh) {
			bind(this.update, event.payload());
			this.update.executeUpdate();
		}
	}

	static void bind(PreparedStatement update, AccountChanged change) throws SQLException {
		update.setLong(1, change.amount());
		update.setLong(2, change.change());
		update.setString(3, change.account());
	}

	@Override
	public void close() throws SQLException {
		this.update.close();
	}

}
