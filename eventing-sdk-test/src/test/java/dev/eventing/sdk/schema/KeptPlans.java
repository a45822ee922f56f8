package dev.eventing.sdk.schema;

import java.util.Objects;

import dev.eventing.sdk.test.server.TestServers;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * One connection to a database with the SDK's tables, which keeps the plan that it makes
 * when a statement is first executed.
 */
public final class KeptPlans implements AutoCloseable {

	private final String database = MigratedDatabase.create();

	private final SingleConnectionDataSource connection = new SingleConnectionDataSource(
			this.database + "&prepareThreshold=1&options=-c%20plan_cache_mode=force_generic_plan", "postgres", "",
			true);

	private final JdbcTemplate jdbc = new JdbcTemplate(this.connection);

	private final TransactionTemplate transactions = new TransactionTemplate(
			new DataSourceTransactionManager(this.connection));

	public JdbcTemplate jdbc() {
		return this.jdbc;
	}

	public TransactionTemplate transactions() {
		return this.transactions;
	}

	/** Keeps autovacuum from a table. */
	public void neverAnalyze(String table) {
		this.jdbc.execute("alter table " + table + " set (autovacuum_enabled = false)");
	}

	/**
	 * Does work in a transaction, and returns how many rows of a table it has looked at.
	 */
	public long rowsRead(String table, Runnable work) {
		Long read = this.transactions.execute((status) -> {
			work.run();
			return Objects.requireNonNull(this.jdbc.queryForObject(
					"""
							select coalesce(sum(seq_tup_read + idx_tup_fetch), 0) from pg_stat_xact_all_tables where relid = ?::regclass
							""",
					Long.class, table));
		});
		return Objects.requireNonNull(read);
	}

	@Override
	public void close() {
		this.connection.destroy();
		TestServers.postgres().dropDatabase(this.database);
	}

}
