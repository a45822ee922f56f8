package dev.eventing.sdk.config;

import dev.eventing.sdk.worker.StallOptions;
import dev.eventing.sdk.worker.StallWatch;
import dev.eventing.sdk.worker.Watched;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;
import org.springframework.util.function.SingletonSupplier;

/** The watch over the threads of all parts. */
@Configuration(proxyBeanMethods = false)
class WatchConfiguration {

	/**
	 * Asks for the parts when it looks: it needs none of them, and they do not need it.
	 */
	@Bean
	@Fallback
	StallWatch eventingStallWatch(ObjectProvider<Watched> parts, ObjectProvider<StallOptions> options) {
		return new StallWatch(SingletonSupplier.of(() -> parts.stream().toList()),
				options.getIfAvailable(StallOptions::defaults));
	}

}
