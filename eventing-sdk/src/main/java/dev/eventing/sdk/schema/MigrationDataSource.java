package dev.eventing.sdk.schema;

import java.util.Objects;

import javax.sql.DataSource;

/**
 * The connections with which {@link SchemaMode#MIGRATE} creates the SDK's tables, if the
 * application's own role may not create any. Then the migration also grants the
 * application's role what it needs of them. In a Boot application it is the DataSource of
 * its Flyway, such as {@code spring.flyway.user} makes it.
 *
 * @param dataSource reaches the same database
 */
public record MigrationDataSource(DataSource dataSource) {

	public MigrationDataSource {
		Objects.requireNonNull(dataSource, "dataSource");
	}

}
