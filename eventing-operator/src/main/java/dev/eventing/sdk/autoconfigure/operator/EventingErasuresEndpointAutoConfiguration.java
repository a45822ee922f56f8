package dev.eventing.sdk.autoconfigure.operator;

import dev.eventing.sdk.actuate.ErasuresEndpoint;
import dev.eventing.sdk.operator.ErasureOperations;

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
 * The Actuator endpoint {@code eventing-erasures}, if
 * {@code management.endpoints.web.exposure.include} contains it.
 */
@AutoConfiguration(after = EventingOperatorAutoConfiguration.class)
@ConditionalOnClass({ PathMapper.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnBean(ErasureOperations.class)
@ConditionalOnAvailableEndpoint(ErasuresEndpoint.class)
@Import(EndpointAnswers.class)
public final class EventingErasuresEndpointAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	ErasuresEndpoint eventingErasuresEndpoint(ErasureOperations operations) {
		return new ErasuresEndpoint(operations);
	}

	/**
	 * The id has no dash, because Boot warns of dashes, but the URL has one.
	 * {@code management.endpoints.web.path-mapping} takes precedence.
	 */
	@Bean
	@Order(Ordered.LOWEST_PRECEDENCE)
	PathMapper eventingErasuresPath() {
		EndpointId ours = EndpointId.of(ErasuresEndpoint.ID);
		return (id) -> id.equals(ours) ? ErasuresEndpoint.PATH : null;
	}

}
