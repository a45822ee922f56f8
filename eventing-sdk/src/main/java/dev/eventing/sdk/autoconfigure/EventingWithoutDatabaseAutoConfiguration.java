package dev.eventing.sdk.autoconfigure;

import java.util.Map;

import javax.sql.DataSource;

import dev.eventing.sdk.annotation.ProjectorAnnotationBeanPostProcessor;
import dev.eventing.sdk.config.EventingConfiguration;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorEndpoints;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * Looks for projectors and relays in an application without a DataSource, where they
 * cannot run. Such an application must not start. Does nothing if there are none.
 */
@AutoConfiguration(after = EventingAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "eventing.enabled", matchIfMissing = true)
@ConditionalOnMissingBean({ DataSource.class, EventingConfiguration.class, ProjectorEndpoints.class })
public final class EventingWithoutDatabaseAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	static ProjectorAnnotationBeanPostProcessor eventingProjectorAnnotations() {
		return new ProjectorAnnotationBeanPostProcessor();
	}

	@Bean
	NothingRuns eventingNothingRuns(Environment environment) {
		return new NothingRuns(environment);
	}

	/** Receives the projectors and relays, and throws. */
	static final class NothingRuns implements ProjectorEndpoints, InitializingBean {

		private final Environment environment;

		NothingRuns(Environment environment) {
			this.environment = environment;
		}

		@Override
		public void afterPropertiesSet() {
			Binder.get(this.environment)
				.bind("eventing.relays", Bindable.mapOf(String.class, Object.class))
				.map(Map::keySet)
				.ifBound((relays) -> {
					throw StartRefusedException.withoutDataSource("Relays " + relays);
				});
		}

		@Override
		public void register(ProjectorEndpoint endpoint) {
			throw StartRefusedException.withoutDataSource("Projector '" + endpoint.name() + "'");
		}

	}

}
