package dev.eventing.sdk.config;

import javax.sql.DataSource;

import dev.eventing.sdk.jdbc.BoundedDataSource;
import dev.eventing.sdk.jdbc.JdbcOptions;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/**
 * The database of the SDK's tables.
 *
 * @param dataSource connects to it
 * @param schema where the tables are
 * @param options the time limits of statements
 */
record EventingDatabase(DataSource dataSource, EventingSchema schema, JdbcOptions options) {

	/**
	 * Takes the target of a proxy that joins the transactions of its callers. Spring's
	 * transaction managers begin their transactions with that target, too. With the
	 * proxy, what the SDK commits on its own would commit a caller's transaction.
	 */
	EventingDatabase {
		if (dataSource instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null) {
			dataSource = proxy.getTargetDataSource();
		}
	}

	/** For the SDK's own work. Operations that users request have other time limits. */
	DataSource bounded() {
		return BoundedDataSource.of(this.dataSource, this.options.statementTimeout());
	}

	/** For the SDK's own work. */
	JdbcTemplate jdbc() {
		return new JdbcTemplate(bounded());
	}

}
