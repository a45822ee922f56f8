package dev.eventing.sdk.autoconfigure;

import dev.eventing.sdk.config.LiveViewWebConfiguration;
import dev.eventing.sdk.liveview.LiveViewAccess;
import dev.eventing.sdk.liveview.LiveViewWebOptions;
import dev.eventing.sdk.liveview.LiveViews;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.servlet.DispatcherServlet;

/**
 * Live views for browsers, on Spring MVC, if the application has a {@link LiveViewAccess}
 * bean. Without that bean nothing is served, with Spring Security or without it; if
 * {@code eventing.live-views.web.enabled} is set to true, the application does not start.
 */
@AutoConfiguration(after = EventingAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "eventing.live-views.web.enabled", matchIfMissing = true)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(DispatcherServlet.class)
@ConditionalOnBean(LiveViews.class)
@EnableConfigurationProperties(LiveViewWebProperties.class)
public final class EventingLiveViewWebAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean(LiveViewAccess.class)
	@Import(LiveViewWebConfiguration.class)
	static class Guarded {

		@Bean
		@ConditionalOnMissingBean
		LiveViewWebOptions eventingLiveViewWebOptions(LiveViewWebProperties properties) {
			return properties.options();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingBean(LiveViewAccess.class)
	@ConditionalOnBooleanProperty(name = "eventing.live-views.web.enabled")
	static class Unguarded {

		Unguarded() {
			throw StartRefusedException.unguardedLiveViews();
		}

	}

}
