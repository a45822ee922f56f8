package dev.eventing.sdk.schema;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class DatabaseUnavailableTests {

	/** No driver was asked, so no driver says what is wrong. */
	@Test
	void hasTheWordsOfADataSourceThatFindsNoOther() {
		AbstractRoutingDataSource routing = new Routing();
		routing.setTargetDataSources(Map.of());
		routing.afterPropertiesSet();
		SchemaInitializer initializer = new SchemaInitializer(routing, EventingSchema.defaults(), SchemaMode.VALIDATE);
		assertThatExceptionOfType(DatabaseUnavailableException.class).isThrownBy(initializer::initialize)
			.withMessageContaining("Cannot determine target DataSource for lookup key [null].");
	}

	private static final class Routing extends AbstractRoutingDataSource {

		@Override
		protected @Nullable Object determineCurrentLookupKey() {
			return null;
		}

	}

}
