package dev.eventing.sdk.autoconfigure;

import java.util.Set;
import java.util.stream.Collectors;

import dev.eventing.sdk.schema.SchemaInitializer;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.sql.init.dependency.DatabaseInitializerDetector;
import org.springframework.core.Ordered;

/**
 * Declares {@link SchemaInitializer} to Boot as a database initializer. Boot then runs it
 * after the application's migrations, which may create the tables that it checks, and
 * before all beans that use the database.
 */
final class EventingSchemaDetector implements DatabaseInitializerDetector {

	@Override
	public Set<String> detect(ConfigurableListableBeanFactory beanFactory) {
		Set<String> names = Set.of(beanFactory.getBeanNamesForType(SchemaInitializer.class, true, false));
		Set<String> declared = names.stream()
			.filter((name) -> !beanFactory.getBeanDefinition(name).isFallback())
			.collect(Collectors.toSet());
		return declared.isEmpty() ? names : declared;
	}

	/** After Boot's own initializers, of which scripts come last. */
	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

}
