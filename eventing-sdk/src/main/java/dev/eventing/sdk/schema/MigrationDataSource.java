package dev.eventing.sdk.schema;

import java.util.Objects;

import javax.sql.DataSource;

/**
 * The connections with which {@link SchemaMode#MIGRATE} creates the SDK's tables, if the
 * application's own role may not create any. Then the migration also grants the
 * application's role what it needs of them. In a Boot application it is the DataSource of
 * that one of its Flyways which migrates the same database, such as
 * {@code spring.flyway.user} makes it.
 *
 * @param dataSource reaches the database of the application; else the start is refused
 * ({@link OtherDatabaseException})
 */
public record MigrationDataSource(DataSource dataSource) {

	public MigrationDataSource {
		Objects.requireNonNull(dataSource, "dataSource");
	}

}
