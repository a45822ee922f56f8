package dev.eventing.sdk.autoconfigure;

import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.observability.ProjectorMetrics;
import dev.eventing.sdk.observability.ReconciliationMetrics;
import dev.eventing.sdk.observability.RelayMetrics;
import dev.eventing.sdk.projection.Reconciliations;
import dev.eventing.sdk.projector.ProjectorProgress;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.Pruner;
import dev.eventing.sdk.relay.RelayOptions;
import dev.eventing.sdk.relay.Relays;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Meters of projectors, checks and relays, if the application has a
 * {@link MeterRegistry}.
 */
@AutoConfiguration(after = EventingAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({ ProjectorRegistry.class, MeterRegistry.class })
public final class EventingMetricsAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	ProjectorMetrics eventingProjectorMetrics(ProjectorRegistry projectors, ProjectorProgress progress,
			DeadLetters deadLetters, Pruner pruner) {
		return new ProjectorMetrics(projectors, progress, deadLetters, pruner);
	}

	@Bean
	@ConditionalOnMissingBean
	ReconciliationMetrics eventingReconciliationMetrics(Reconciliations reconciliations) {
		return new ReconciliationMetrics(reconciliations);
	}

	@Bean
	@ConditionalOnBean(RelayOptions.class)
	@ConditionalOnMissingBean
	RelayMetrics eventingRelayMetrics(Relays relays) {
		return new RelayMetrics(relays);
	}

}
