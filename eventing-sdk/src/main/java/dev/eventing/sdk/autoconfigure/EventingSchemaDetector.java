package dev.eventing.sdk.autoconfigure;

import java.util.Set;
import java.util.stream.Collectors;

import dev.eventing.sdk.schema.SchemaInitializer;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.sql.init.dependency.DatabaseInitializerDetector;
import org.springframework.core.Ordered;

/**
 * Tells Boot that {@link SchemaInitializer} initializes a database. Boot then runs it
 * after the application's own migrations, which may be what creates the tables it checks,
 * and before all that uses the database.
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

	/** Also after scripts, which come last of Boot's own. */
	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

}
