package dev.eventing.sdk.schema;

import java.time.Duration;

import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;

class FlywayMigrationTests {

	/**
	 * Flyway asks for its lock once a second, and gives up after 50 seconds by itself.
	 */
	@Test
	void waitsForAnotherNodeAsLongAsItsScriptMayTake() {
		FluentConfiguration configuration = FlywayMigration.configuration(new DriverManagerDataSource(),
				EventingSchema.defaults(), SchemaInitializer.MIGRATES_WITHIN);
		assertThat(Duration.ofSeconds(configuration.getLockRetryCount())).isEqualTo(Duration.ofMinutes(30));
	}

}
