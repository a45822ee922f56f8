package dev.eventing.sdk.autoconfigure;

import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Warns of properties for a projector that does not exist, which are usually typing
 * errors. This is not an error, because a profile may exclude a projector.
 */
final class UnusedProjectorProperties implements ApplicationListener<ContextRefreshedEvent> {

	private static final Logger logger = LoggerFactory.getLogger(UnusedProjectorProperties.class);

	private final PropertiesProjectorSettings settings;

	/** The events of contexts below arrive here, too. */
	private final AtomicBoolean done = new AtomicBoolean();

	UnusedProjectorProperties(PropertiesProjectorSettings settings) {
		this.settings = settings;
	}

	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		Set<String> unused = this.done.compareAndSet(false, true) ? this.settings.unused() : Set.of();
		unused.forEach((name) -> logger
			.warn("Properties 'eventing.projectors.{}.*' have no effect: there is no projector of that name. Consider"
					+ " the projectorName of its handlers.", name));
	}

}
