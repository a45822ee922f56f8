package dev.eventing.benchmark.handwritten;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

import dev.eventing.benchmark.contender.SetBasedUpdate;

/** One statement for all events. */
final class SetBased implements Effects {

	private final Connection connection;

	private final PreparedStatement update;

	SetBased(Connection connection) throws SQLException {
		this.connection = connection;
		this.update = connection.prepareStatement(SetBasedUpdate.SQL);
	}

	@Override
	public void apply(List<Incoming> fresh) throws SQLException {
		String[] accounts = new String[fresh.size()];
		Long[] amounts = new Long[fresh.size()];
		Long[] changes = new Long[fresh.size()];
		for (int i = 0; i < accounts.length; i++) {
			accounts[i] = fresh.get(i).payload().account();
			amounts[i] = fresh.get(i).payload().amount();
			changes[i] = fresh.get(i).payload().change();
		}
		this.update.setArray(1, this.connection.createArrayOf("text", accounts));
		this.update.setArray(2, this.connection.createArrayOf("bigint", amounts));
		this.update.setArray(3, this.connection.createArrayOf("bigint", changes));
		this.update.executeUpdate();
	}

	@Override
	public void close() throws SQLException {
		this.update.close();
	}

}
