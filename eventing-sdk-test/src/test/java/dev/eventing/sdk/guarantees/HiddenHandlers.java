package dev.eventing.sdk.guarantees;

import dev.eventing.sdk.annotation.ProjectorEventHandler;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Declares beans that have handlers by types that have none. Outside the packages of the
 * SDK's own configuration, of whose beans none has any.
 */
@Configuration(proxyBeanMethods = false)
public class HiddenHandlers {

	@Bean
	Projection projection() {
		return new Hidden();
	}

	@Bean
	Object anything() {
		return new Hidden();
	}

	@Bean
	Plain subclass() {
		return new Hidden();
	}

	/** What hides that its class has handlers. */
	public interface Projection {

	}

	/** A class that could be that of the bean. */
	static class Plain {

	}

	static class Hidden extends Plain implements Projection {

		@ProjectorEventHandler(subject = "${root}.{tenant}.deposited", projectorName = "hidden")
		public void on(Deposited event) {
			throw new IllegalStateException("It is not found: " + event);
		}

	}

}
