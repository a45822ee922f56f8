package dev.eventing.sdk.schema;

import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class FlywayMissingExceptionTests {

	@Test
	void saysWhatToAddWhereFlywayIsAbsent() {
		assertThatExceptionOfType(FlywayMissingException.class)
			.isThrownBy(() -> FlywayMissingException.throwIfMissing(EventingSchema.defaults(),
					new FilteredClassLoader(Flyway.class)))
			.withMessageStartingWith("Schema mode MIGRATE needs 'org.flywaydb:flyway-core', which is not")
			.withMessageContaining("'org.flywaydb:flyway-database-postgresql'")
			.withMessageContaining("eventing.schema.mode=validate");
	}

	/** This module has no PostgreSQL module of Flyway on its class path. */
	@Test
	void saysWhatToAddWhereThePostgresqlModuleIsAbsent() {
		SchemaInitializer initializer = new SchemaInitializer(new DriverManagerDataSource(), EventingSchema.defaults(),
				SchemaMode.MIGRATE);
		assertThatExceptionOfType(FlywayMissingException.class).isThrownBy(initializer::initialize)
			.withMessageStartingWith("Schema mode MIGRATE needs 'org.flywaydb:flyway-database-postgresql', which");
	}

}
