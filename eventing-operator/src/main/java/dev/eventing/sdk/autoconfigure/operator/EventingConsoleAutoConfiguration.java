package dev.eventing.sdk.autoconfigure.operator;

import dev.eventing.sdk.autoconfigure.StartRefusedException;
import dev.eventing.sdk.console.Actors;
import dev.eventing.sdk.console.Console;
import dev.eventing.sdk.console.ConsoleHints;
import dev.eventing.sdk.console.ErasureRoutes;
import dev.eventing.sdk.console.ProjectorRoutes;
import dev.eventing.sdk.operator.CheckOperations;
import dev.eventing.sdk.operator.DeadLetterOperations;
import dev.eventing.sdk.operator.DiffOperations;
import dev.eventing.sdk.operator.ErasureOperations;
import dev.eventing.sdk.operator.InlineOperations;
import dev.eventing.sdk.operator.ProjectionOperations;
import dev.eventing.sdk.operator.ProjectorOperations;

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
 * The console for dead letters, and the API for dead letters, projectors and erasures, on
 * Spring MVC, if {@code eventing.console.enabled} is true. Without Spring Security the
 * application does not start, unless {@code eventing.console.access} is {@code open}.
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

	/** All routes need this bean, so none is there without a guard. */
	@Bean
	Actors eventingConsoleActors(ConsoleProperties properties, BeanFactory beans) {
		boolean open = properties.access() == ConsoleAccess.OPEN;
		if (!open && !beans.containsBean(SPRING_SECURITY)) {
			throw unguarded(properties.path());
		}
		return new Actors(open);
	}

	@Bean
	RouterFunction<ServerResponse> eventingConsole(DeadLetterOperations operations, Actors actors,
			ConsoleProperties properties) {
		return new Console(operations).routes(properties.path(), actors);
	}

	@Bean
	RouterFunction<ServerResponse> eventingProjectorRoutes(ProjectorOperations operations,
			ProjectionOperations readModels, CheckOperations checks, DiffOperations diffs, InlineOperations inline,
			Actors actors, ConsoleProperties properties) {
		return new ProjectorRoutes(operations, readModels, checks, diffs, inline).routes(properties.path(), actors);
	}

	@Bean
	RouterFunction<ServerResponse> eventingErasureRoutes(ErasureOperations operations, Actors actors,
			ConsoleProperties properties) {
		return new ErasureRoutes(operations).routes(properties.path(), actors);
	}

	/**
	 * The console would show letters and projectors to anyone, and the application has
	 * not allowed that explicitly.
	 */
	static StartRefusedException unguarded(String path) {
		return new StartRefusedException("The console at '" + path
				+ "' would show dead letters and projectors to anyone who can reach this application: "
				+ "Spring Security is missing. Consider 'org.springframework.boot:spring-boot-starter-security', or "
				+ "'eventing.console.access=open' if access is controlled in another way.",
				"Add 'org.springframework.boot:spring-boot-starter-security' and admit the users who may see letters and projectors, set "
						+ "'eventing.console.access=open', or remove 'eventing.console.enabled'.");
	}

}
