package dev.eventing.sdk.config;

import dev.eventing.sdk.worker.StallOptions;
import dev.eventing.sdk.worker.StallWatch;
import dev.eventing.sdk.worker.Watched;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;

/** The watch over the threads of all parts. */
@Configuration(proxyBeanMethods = false)
class WatchConfiguration {

	/**
	 * Asks for the parts each time it looks: it needs none of them, they do not need it,
	 * and some may be registered later.
	 */
	@Bean
	@Fallback
	StallWatch eventingStallWatch(ObjectProvider<Watched> parts, ObjectProvider<StallOptions> options) {
		return new StallWatch(new WatchedParts(parts), options.getIfAvailable(StallOptions::defaults));
	}

}
