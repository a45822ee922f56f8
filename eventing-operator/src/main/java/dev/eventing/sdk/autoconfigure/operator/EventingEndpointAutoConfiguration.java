package dev.eventing.sdk.autoconfigure.operator;

import dev.eventing.sdk.actuate.DeadLettersEndpoint;
import dev.eventing.sdk.operator.DeadLetterOperations;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.PathMapper;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * The Actuator endpoint {@code eventing-deadletters}, if
 * {@code management.endpoints.web.exposure.include} contains it.
 */
@AutoConfiguration(after = EventingOperatorAutoConfiguration.class)
@ConditionalOnClass({ PathMapper.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnBean(DeadLetterOperations.class)
@ConditionalOnAvailableEndpoint(DeadLettersEndpoint.class)
@Import(EndpointAnswers.class)
public final class EventingEndpointAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	DeadLettersEndpoint eventingDeadLettersEndpoint(DeadLetterOperations operations) {
		return new DeadLettersEndpoint(operations);
	}

	/**
	 * The id has no dash, because Boot warns of dashes, but the URL has one.
	 * {@code management.endpoints.web.path-mapping} takes precedence.
	 */
	@Bean
	@Order(Ordered.LOWEST_PRECEDENCE)
	PathMapper eventingDeadLettersPath() {
		EndpointId ours = EndpointId.of(DeadLettersEndpoint.ID);
		return (id) -> id.equals(ours) ? DeadLettersEndpoint.PATH : null;
	}

}
