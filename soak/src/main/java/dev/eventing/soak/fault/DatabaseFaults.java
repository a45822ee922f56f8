package dev.eventing.soak.fault;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import dev.eventing.soak.Servers;
import dev.eventing.soak.node.Projected;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** What other sessions and administrators of the database do. */
final class DatabaseFaults {

	private static final List<String> TABLES = List.of("eventing.processed_events", "eventing.projector_attempts",
			"eventing.projector_checkpoints", "eventing.projector_handouts", "eventing.projector_positions",
			"eventing.dead_letters", "eventing.relays", "eventing.relay_positions", "applied", Projected.REBUILT,
			"eventing.projections", "eventing.projection_requests", "eventing.projector_controls");

	/** Of all sessions but the ones in which this program controls the others. */
	private static final String TERMINATE = """
			select pg_terminate_backend(pid) from pg_stat_activity
			 where datname = current_database() and application_name <> 'soak-admin' and mod(pid, ?) = 0""";

	private final Servers servers;

	DatabaseFaults(Servers servers) {
		this.servers = servers;
	}

	void addTo(Map<FaultKind, Fault> faults) {
		faults.put(FaultKind.BACKENDS_TERMINATED, (step) -> term(1 + Math.floorMod(step.dice(), 3)));
		faults.put(FaultKind.LEASE_LOCKED, new Lock() {

			@Override
			String sql(Step step) {
				String projector = step.one(List.of(Projected.values())).projector();
				return "select * from eventing.leases where lease_name = 'projector/" + projector + "' for update";
			}
		});
		faults.put(FaultKind.TABLE_LOCKED, new Lock() {

			@Override
			String sql(Step step) {
				return "lock table " + step.one(TABLES) + " in access exclusive mode";
			}
		});
		faults.put(FaultKind.STATEMENT_TIMEOUT,
				new Setting("statement_timeout", (step) -> "'" + (20 + Math.floorMod(step.dice(), 100)) + "ms'"));
		faults.put(FaultKind.LOCK_TIMEOUT, new LockTimeoutFault(this.servers, TABLES,
				new Setting("lock_timeout", (step) -> "'" + (20 + Math.floorMod(step.dice(), 100)) + "ms'")));
		faults.put(FaultKind.POSTGRES_READ_ONLY, new Setting("default_transaction_read_only", (step) -> "on"));
	}

	private void term(int every) {
		this.servers.admin().query(TERMINATE, (row) -> {
		}, every);
	}

	/**
	 * Another value of a setting of the database. Sessions have theirs from when they
	 * began, so they begin again.
	 */
	private final class Setting implements Fault {

		private final String name;

		private final Function<Step, String> value;

		Setting(String name, Function<Step, String> value) {
			this.name = name;
			this.value = value;
		}

		@Override
		public void begin(Step step) {
			alter("set " + this.name + " = " + this.value.apply(step));
		}

		@Override
		public void end(Step step) {
			alter("reset " + this.name);
		}

		private void alter(String change) {
			Servers all = DatabaseFaults.this.servers;
			all.admin().execute("alter database " + all.database() + " " + change);
			term(1);
		}

	}

	/** A transaction that holds something until the fault ends. */
	private abstract class Lock implements Fault {

		private @Nullable Connection session;

		abstract String sql(Step step);

		@Override
		public void begin(Step step) throws SQLException {
			this.session = DatabaseFaults.this.servers.connect();
			this.session.setAutoCommit(false);
			new JdbcTemplate(new SingleConnectionDataSource(this.session, true)).execute(sql(step));
		}

		/**
		 * The session may have been ended meanwhile: a takeover ends who is in its way.
		 */
		@Override
		public void end(Step step) throws SQLException {
			if (this.session != null) {
				this.session.close();
			}
		}

	}

}
