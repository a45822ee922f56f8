package dev.eventing.sdk.autoconfigure;

import dev.eventing.sdk.deadletter.DeadLetterForwarder;
import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.observability.DeadLetterHealthIndicator;
import dev.eventing.sdk.observability.EventingHealthIndicator;
import dev.eventing.sdk.observability.ReconciliationHealthIndicator;
import dev.eventing.sdk.observability.RelayHealthIndicator;
import dev.eventing.sdk.projection.CheckSchedule;
import dev.eventing.sdk.projection.Reconciliations;
import dev.eventing.sdk.projector.ProjectorRegistry;
import dev.eventing.sdk.projector.Pruner;
import dev.eventing.sdk.relay.RelayOptions;
import dev.eventing.sdk.relay.Relays;
import dev.eventing.sdk.worker.StallWatch;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * The health contributors {@code eventing}, {@code eventingReconciliations},
 * {@code eventingRelays} if there are relays, and {@code eventingDeadLetters} if dead
 * letters are forwarded. {@code management.health.eventing.enabled=false} disables them.
 */
@AutoConfiguration(after = EventingAutoConfiguration.class)
@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnBean(ProjectorRegistry.class)
@ConditionalOnEnabledHealthIndicator("eventing")
public final class EventingHealthAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = "eventingHealthIndicator")
	EventingHealthIndicator eventingHealthIndicator(ProjectorRegistry projectors, NatsClient nats, Pruner pruner,
			StallWatch watch) {
		return new EventingHealthIndicator(projectors, nats, pruner, watch);
	}

	@Bean
	@ConditionalOnMissingBean(name = "eventingReconciliationsHealthIndicator")
	ReconciliationHealthIndicator eventingReconciliationsHealthIndicator(Reconciliations reconciliations,
			CheckSchedule schedule, ObjectProvider<EventingProperties> properties) {
		EventingProperties set = properties.getIfAvailable();
		return new ReconciliationHealthIndicator(reconciliations, schedule,
				set != null && set.reconciliation().downOnDifferences());
	}

	@Bean
	@ConditionalOnBean(RelayOptions.class)
	@ConditionalOnMissingBean(name = "eventingRelaysHealthIndicator")
	RelayHealthIndicator eventingRelaysHealthIndicator(Relays relays) {
		return new RelayHealthIndicator(relays);
	}

	/** Null, and so no bean, if letters are not forwarded. */
	@Bean
	@ConditionalOnBean(DeadLetterForwarder.class)
	@ConditionalOnMissingBean(name = "eventingDeadLettersHealthIndicator")
	@Nullable DeadLetterHealthIndicator eventingDeadLettersHealthIndicator(ObjectProvider<DeadLetterForwarder> forwarder) {
		DeadLetterForwarder running = forwarder.getIfAvailable();
		return (running != null) ? new DeadLetterHealthIndicator(running) : null;
	}

}
