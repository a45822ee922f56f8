package dev.eventing.sdk.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import javax.sql.DataSource;

import dev.eventing.sdk.fixture.Fixture;
import dev.eventing.sdk.test.server.TestServers;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Why the log is not read in the order of (transaction id, position) below the oldest
 * open transaction: shown in plain SQL on its own table.
 */
class XidOrderIT {

	private static final String SCHEMA = """
			create table log (
			  position bigint generated always as identity primary key,
			  xid      xid8   not null default pg_current_xact_id(),
			  stream   int    not null,
			  version  bigint not null,
			  unique (stream, version));
			create table elsewhere (id bigint generated always as identity)""";

	/** Everything by transaction id, below the first that is still open. */
	private static final String BY_XID = """
			select stream, version from log where xid < pg_snapshot_xmin(pg_current_snapshot())
			 order by xid, position""";

	private static final String BY_POSITION = "select stream, version from log order by position";

	private static final String APPEND = """
			insert into log (stream, version)
			select %1$d, coalesce(max(version), 0) + 1 from log where stream = %1$d""";

	@RegisterExtension
	final Fixture fixture = new Fixture();

	private DataSource dataSource;

	@BeforeEach
	void createTable() throws SQLException {
		this.dataSource = TestServers.postgres().dataSource(this.fixture.emptyDatabase());
		execute(connect(true), SCHEMA);
	}

	@Test
	void aTransactionThatWroteElsewhereFirstAppendsVersionTwoWithTheLowerId() throws SQLException {
		Connection reader = connect(true);
		Connection early = connect(false);
		Connection late = connect(false);

		execute(early, "insert into elsewhere default values");
		execute(late, APPEND.formatted(1));
		late.commit();
		assertThat(read(reader, BY_XID)).as("what is seen while the older transaction is open").isEmpty();
		execute(early, APPEND.formatted(1));
		early.commit();

		assertThat(read(reader, BY_XID)).extracting(Row::version).containsExactly(2L, 1L);
		assertThat(read(reader, BY_POSITION)).extracting(Row::version).containsExactly(1L, 2L);
	}

	@Test
	void countsEventsOutOfTheirStreamsOrder() throws SQLException {
		Random random = new Random(20_261_121);
		Connection[] writers = new Connection[12];
		boolean[] open = new boolean[writers.length];
		for (int i = 0; i < writers.length; i++) {
			writers[i] = connect(false);
		}
		for (int i = 0; i < 3_000; i++) {
			int writer = random.nextInt(writers.length);
			if (!open[writer] && random.nextBoolean()) {
				execute(writers[writer], "insert into elsewhere default values");
				open[writer] = true;
			}
			else {
				execute(writers[writer], APPEND.formatted(random.nextInt(20)));
				writers[writer].commit();
				open[writer] = false;
			}
		}
		for (Connection writer : writers) {
			writer.commit();
		}
		List<Row> byXid = read(connect(true), BY_XID);
		List<Row> byPosition = read(connect(true), BY_POSITION);
		long wrong = outOfOrder(byXid);
		System.out.printf(
				"XidOrderIT: %d events; by (xid, position) %d (%.1f %%) come before a lower version of their "
						+ "stream, by position %d%n",
				byXid.size(), wrong, 100.0 * wrong / byXid.size(), outOfOrder(byPosition));

		assertThat(byXid).hasSameSizeAs(byPosition);
		assertThat(wrong).isPositive();
		assertThat(outOfOrder(byPosition)).isZero();
	}

	/** Events whose stream has a lower version that is read later. */
	private static long outOfOrder(List<Row> rows) {
		Map<Integer, Long> lowestBehind = new HashMap<>();
		long wrong = 0;
		for (int i = rows.size() - 1; i >= 0; i--) {
			Row row = rows.get(i);
			long lowest = lowestBehind.getOrDefault(row.stream(), Long.MAX_VALUE);
			wrong += (lowest < row.version()) ? 1 : 0;
			lowestBehind.put(row.stream(), Math.min(lowest, row.version()));
		}
		return wrong;
	}

	private Connection connect(boolean autoCommit) throws SQLException {
		Connection connection = this.dataSource.getConnection();
		this.fixture.opened(connection);
		connection.setAutoCommit(autoCommit);
		return connection;
	}

	private static void execute(Connection connection, String sql) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

	private static List<Row> read(Connection connection, String sql) throws SQLException {
		try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(sql)) {
			List<Row> read = new ArrayList<>();
			while (rows.next()) {
				read.add(new Row(rows.getInt(1), rows.getLong(2)));
			}
			return read;
		}
	}

	record Row(int stream, long version) {
	}

}
