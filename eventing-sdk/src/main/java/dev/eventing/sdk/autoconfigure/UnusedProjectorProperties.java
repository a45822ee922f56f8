package dev.eventing.sdk.autoconfigure;

import java.util.Set;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Warns of properties for a projector there is none of, usually a slip of the pen. No
 * error: a profile may leave a projector out.
 */
final class UnusedProjectorProperties implements ApplicationListener<ContextRefreshedEvent> {

	private static final Logger logger = LoggerFactory.getLogger(UnusedProjectorProperties.class);

	private final PropertiesProjectorSettings settings;

	UnusedProjectorProperties(PropertiesProjectorSettings settings) {
		this.settings = settings;
	}

	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		Set<String> unused = this.settings.unused();
		unused.forEach((name) -> logger
			.warn("Properties 'eventing.projectors.{}.*' change nothing: there is no projector of that name. Consider"
					+ " the projectorName of its handlers.", name));
	}

}
