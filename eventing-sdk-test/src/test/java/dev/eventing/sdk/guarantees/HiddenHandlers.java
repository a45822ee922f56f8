package dev.eventing.sdk.guarantees;

import dev.eventing.sdk.annotation.ProjectorEventHandler;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Declares an interface only as the type of a bean that has handlers. Outside the
 * packages of the SDK's own configuration, of whose beans none has any.
 */
@Configuration(proxyBeanMethods = false)
public class HiddenHandlers {

	@Bean
	Projection projection() {
		return new Hidden();
	}

	/** What hides that its class has handlers. */
	public interface Projection {

	}

	static class Hidden implements Projection {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "hidden")
		public void on(Deposited event) {
			throw new IllegalStateException("It is not found: " + event);
		}

	}

}
