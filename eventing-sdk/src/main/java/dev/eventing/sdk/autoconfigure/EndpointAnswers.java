package dev.eventing.sdk.autoconfigure;

import dev.eventing.sdk.actuate.EndpointRequests;
import dev.eventing.sdk.actuate.UnreadableBodies;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.HandlerExceptionResolver;

/** What the Actuator endpoints of the SDK answer to requests that they do not take. */
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
