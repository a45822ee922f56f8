package dev.eventing.sdk.autoconfigure.operator;

import dev.eventing.sdk.actuate.ProjectorsEndpoint;
import dev.eventing.sdk.operator.CheckOperations;
import dev.eventing.sdk.operator.DiffOperations;
import dev.eventing.sdk.operator.InlineOperations;
import dev.eventing.sdk.operator.ProjectionOperations;
import dev.eventing.sdk.operator.ProjectorOperations;

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
 * The Actuator endpoint {@code eventing-projectors}, if
 * {@code management.endpoints.web.exposure.include} contains it.
 */
@AutoConfiguration(after = EventingOperatorAutoConfiguration.class)
@ConditionalOnClass({ PathMapper.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnBean(ProjectorOperations.class)
@ConditionalOnAvailableEndpoint(ProjectorsEndpoint.class)
@Import(EndpointAnswers.class)
public final class EventingProjectorsEndpointAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	ProjectorsEndpoint eventingProjectorsEndpoint(ProjectorOperations operations, ProjectionOperations readModels,
			CheckOperations checks, DiffOperations diffs, InlineOperations inline) {
		return new ProjectorsEndpoint(operations, readModels, checks, diffs, inline);
	}

	/**
	 * The id has no dash, because Boot warns of dashes, but the URL has one.
	 * {@code management.endpoints.web.path-mapping} takes precedence.
	 */
	@Bean
	@Order(Ordered.LOWEST_PRECEDENCE)
	PathMapper eventingProjectorsPath() {
		EndpointId ours = EndpointId.of(ProjectorsEndpoint.ID);
		return (id) -> id.equals(ours) ? ProjectorsEndpoint.PATH : null;
	}

}
