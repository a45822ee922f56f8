package dev.eventing.sdk.config;

import javax.sql.DataSource;

import dev.eventing.sdk.jdbc.BoundedDataSource;
import dev.eventing.sdk.jdbc.JdbcOptions;
import dev.eventing.sdk.schema.EventingSchema;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * The database of the SDK's tables.
 *
 * @param dataSource connects to it
 * @param schema where the tables are
 * @param options the time limits of statements
 */
record EventingDatabase(DataSource dataSource, EventingSchema schema, JdbcOptions options) {

	/** For the SDK's own work. Operations that users request have other time limits. */
	DataSource bounded() {
		return BoundedDataSource.of(this.dataSource, this.options.statementTimeout());
	}

	/** For the SDK's own work. */
	JdbcTemplate jdbc() {
		return new JdbcTemplate(bounded());
	}

}
