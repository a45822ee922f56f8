package dev.eventing.sdk.config;

import dev.eventing.sdk.worker.ApplicationPhase;
import dev.eventing.sdk.worker.PartsLifecycle;
import dev.eventing.sdk.worker.RunningPart;
import dev.eventing.sdk.worker.StallOptions;
import dev.eventing.sdk.worker.StallWatch;
import dev.eventing.sdk.worker.Watched;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;

/** Starts and stops all parts, and watches their threads. */
@Configuration(proxyBeanMethods = false)
class LifecycleConfiguration {

	@Bean
	PartsLifecycle eventingParts(ListableBeanFactory beans) {
		return lifecycle(ApplicationPhase.PARTS, beans);
	}

	@Bean
	PartsLifecycle eventingPartsWatch(ListableBeanFactory beans) {
		return lifecycle(ApplicationPhase.WATCH, beans);
	}

	/**
	 * Of the parts of this context only: each context starts and stops its own. The order
	 * is that of their definitions.
	 */
	static PartsLifecycle lifecycle(ApplicationPhase phase, ListableBeanFactory beans) {
		return new PartsLifecycle(phase, () -> beans.getBeansOfType(RunningPart.class, false, false));
	}

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
