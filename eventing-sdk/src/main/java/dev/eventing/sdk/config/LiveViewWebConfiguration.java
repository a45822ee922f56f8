package dev.eventing.sdk.config;

import dev.eventing.sdk.liveview.LiveViewAccess;
import dev.eventing.sdk.liveview.LiveViewWebOptions;
import dev.eventing.sdk.liveview.LiveViews;
import dev.eventing.sdk.liveview.run.LiveViewRegistry;
import dev.eventing.sdk.liveview.web.KeySubscriptions;
import dev.eventing.sdk.liveview.web.LiveConnections;
import dev.eventing.sdk.liveview.web.LiveViewRoutes;
import dev.eventing.sdk.liveview.web.LiveViewWebHints;
import dev.eventing.sdk.worker.ApplicationPhase;
import dev.eventing.sdk.worker.PartsLifecycle;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Serves live views to browsers, on Spring MVC. Needs a {@link LiveViewAccess} bean.
 * Applications of Spring Boot have it as soon as they have that bean; others import it
 * beside {@link EnableEventing}.
 */
@Configuration(proxyBeanMethods = false)
@ImportRuntimeHints(LiveViewWebHints.class)
public class LiveViewWebConfiguration {

	@Bean
	@Fallback
	LiveConnections eventingLiveConnections(LiveViews views, ObjectProvider<LiveViewWebOptions> options) {
		// an application may have LiveViews of its own
		KeySubscriptions subscriptions = (views instanceof LiveViewRegistry registry) ? registry::subscribeForStreams
				: views::subscribe;
		return new LiveConnections(subscriptions, options.getIfAvailable(() -> LiveViewWebOptions.DEFAULTS));
	}

	@Bean
	PartsLifecycle eventingLiveViewStreams(ListableBeanFactory beans) {
		return LifecycleConfiguration.lifecycle(ApplicationPhase.STREAMS, beans);
	}

	@Bean
	RouterFunction<ServerResponse> eventingLiveViewRoutes(LiveViews views, LiveViewAccess access,
			LiveConnections connections, ObjectProvider<LiveViewWebOptions> options) {
		return new LiveViewRoutes(views, access, connections, options.getIfAvailable(() -> LiveViewWebOptions.DEFAULTS))
			.routes();
	}

}
