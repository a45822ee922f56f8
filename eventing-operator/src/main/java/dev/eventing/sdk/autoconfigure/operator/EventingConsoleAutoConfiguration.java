package dev.eventing.sdk.autoconfigure.operator;

import dev.eventing.sdk.autoconfigure.StartRefusedException;
import dev.eventing.sdk.console.Console;
import dev.eventing.sdk.console.ConsoleHints;
import dev.eventing.sdk.operator.DeadLetterOperations;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * The console for dead letters, on Spring MVC, if {@code eventing.console.enabled} is
 * true. Without Spring Security the application does not start, unless
 * {@code eventing.console.access} is {@code open}.
 */
@AutoConfiguration(after = EventingOperatorAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "eventing.console.enabled")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(DispatcherServlet.class)
@ConditionalOnBean(DeadLetterOperations.class)
@EnableConfigurationProperties(ConsoleProperties.class)
@ImportRuntimeHints(ConsoleHints.class)
public final class EventingConsoleAutoConfiguration {

	/** The bean name of Spring Security's filter, however it is configured. */
	private static final String SPRING_SECURITY = "springSecurityFilterChain";

	@Bean
	RouterFunction<ServerResponse> eventingConsole(DeadLetterOperations operations, ConsoleProperties properties,
			BeanFactory beans) {
		if (properties.access() == ConsoleAccess.GUARDED && !beans.containsBean(SPRING_SECURITY)) {
			throw unguarded(properties.path());
		}
		return new Console(operations).routes(properties.path());
	}

	/**
	 * The console would show letters to anyone, and the application has not allowed that
	 * explicitly.
	 */
	static StartRefusedException unguarded(String path) {
		return new StartRefusedException("The console at '" + path
				+ "' would show dead letters to anyone who can reach this application: "
				+ "Spring Security is missing. Consider 'org.springframework.boot:spring-boot-starter-security', or "
				+ "'eventing.console.access=open' if access is controlled in another way.",
				"Add 'org.springframework.boot:spring-boot-starter-security' and admit the users who may see letters, set "
						+ "'eventing.console.access=open', or remove 'eventing.console.enabled'.");
	}

}
