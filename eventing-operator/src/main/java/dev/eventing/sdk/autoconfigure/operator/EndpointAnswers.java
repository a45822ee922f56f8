package dev.eventing.sdk.autoconfigure.operator;

import dev.eventing.sdk.actuate.EndpointRequests;
import dev.eventing.sdk.actuate.UnreadableBodies;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.HandlerExceptionResolver;

/** Answers of the Actuator endpoints to requests that they refuse or cannot read. */
@Configuration(proxyBeanMethods = false)
class EndpointAnswers {

	@Bean
	EndpointRequests eventingEndpointRequests() {
		return new EndpointRequests();
	}

	/** In an application with Spring MVC. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(HandlerExceptionResolver.class)
	static class Bodies {

		@Bean
		UnreadableBodies eventingUnreadableBodies() {
			return new UnreadableBodies();
		}

	}

}
