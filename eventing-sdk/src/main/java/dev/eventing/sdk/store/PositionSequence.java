package dev.eventing.sdk.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The sequence from which positions are drawn. Checks whether reading in the order of
 * positions is safe.
 */
final class PositionSequence {

	/** By the primary keys of the catalog. */
	private static final String DESCRIBE = """
			select pg_get_serial_sequence(?, 'global_position'), a.attidentity <> '', s.seqcache, s.seqincrement,
			       s.seqcycle
			  from pg_attribute a
			  left join pg_sequence s
			    on s.seqrelid = pg_get_serial_sequence(?, 'global_position')::regclass
			 where a.attrelid = ?::regclass and a.attname = 'global_position'
			""";

	private PositionSequence() {
	}

	/**
	 * The sequence's name as SQL writes it.
	 * @throws UnsafePositionsException if the inserts do not draw the positions
	 * themselves, one by one and ascending
	 */
	static String require(Connection connection, String table) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(DESCRIBE)) {
			statement.setString(1, table);
			statement.setString(2, table);
			statement.setString(3, table);
			try (ResultSet row = statement.executeQuery()) {
				if (!row.next() || row.getString(1) == null || !row.getBoolean(2)) {
					throw UnsafePositionsException.notDrawnByInserts(table);
				}
				if (row.getLong(3) != 1 || row.getLong(4) != 1 || row.getBoolean(5)) {
					throw UnsafePositionsException.notOneByOne(row.getString(1), row.getLong(3), row.getLong(4),
							row.getBoolean(5));
				}
				return row.getString(1);
			}
		}
	}

}
