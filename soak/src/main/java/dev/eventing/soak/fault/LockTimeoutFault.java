package dev.eventing.soak.fault;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.eventing.soak.Servers;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * No statement waits longer than some milliseconds for a lock, and another session holds
 * a table or all of its rows.
 */
final class LockTimeoutFault implements Fault {

	private final Servers servers;

	private final List<String> tables;

	/** Of the database, begun when the fault begins. */
	private final Fault setting;

	private final Map<Step, Connection> sessions = new HashMap<>();

	LockTimeoutFault(Servers servers, List<String> tables, Fault setting) {
		this.servers = servers;
		this.tables = tables;
		this.setting = setting;
	}

	@Override
	public void begin(Step step) throws Exception {
		this.setting.begin(step);
		Connection session = this.servers.connect();
		this.sessions.put(step, session);
		session.setAutoCommit(false);
		String table = step.one(this.tables);
		boolean rows = Math.floorMod(step.dice() / this.tables.size(), 2) == 0;
		new JdbcTemplate(new SingleConnectionDataSource(session, true))
			.execute(rows ? "do $$ begin perform 1 from " + table + " for update; end $$"
					: "lock table " + table + " in share row exclusive mode");
	}

	/** The session may have been ended meanwhile, with what it held. */
	@Override
	public void end(Step step) throws Exception {
		close(this.sessions.remove(step));
		this.setting.end(step);
	}

	private static void close(@Nullable Connection session) throws SQLException {
		if (session != null) {
			session.close();
		}
	}

}
