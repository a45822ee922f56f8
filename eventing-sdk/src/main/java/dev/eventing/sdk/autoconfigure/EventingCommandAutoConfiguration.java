package dev.eventing.sdk.autoconfigure;

import dev.eventing.sdk.store.EventVerifier;
import dev.eventing.sdk.store.Fold;
import dev.eventing.sdk.store.SnapshotRebuilder;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.LifecycleProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.context.support.DefaultLifecycleProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Runs one command with the application's code in place of the application, if
 * {@code eventing.command.run} is set: all beans are created, and none is started, so no
 * event is handled or relayed, and no web server listens. Then the JVM ends with the
 * command's exit code.
 */
@AutoConfiguration(beforeName = "org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration")
@ConditionalOnProperty(name = "eventing.command.run")
@EnableConfigurationProperties(CommandProperties.class)
public final class EventingCommandAutoConfiguration {

	/** Also in place of Boot's. */
	@Bean(AbstractApplicationContext.LIFECYCLE_PROCESSOR_BEAN_NAME)
	static LifecycleProcessor eventingCommandLifecycle() {
		return new NothingStarts();
	}

	@Bean
	@ConditionalOnMissingBean
	CommandExit eventingCommandExit(ApplicationContext context) {
		return (code) -> System.exit(SpringApplication.exit(context, () -> code));
	}

	/** Before the runners of the application. */
	@Bean
	@Order(Ordered.HIGHEST_PRECEDENCE)
	ApplicationRunner eventingCommandRunner(CommandProperties properties, ObjectProvider<EventVerifier> verifier,
			ObjectProvider<SnapshotRebuilder> rebuilder, ObjectProvider<Fold<?>> folds, CommandExit exit) {
		return (arguments) -> exit
			.accept(new CommandRun(properties, verifier, rebuilder, folds, System.out, System.err).run());
	}

	/** Stops what beans have started themselves. */
	private static final class NothingStarts extends DefaultLifecycleProcessor {

		@Override
		public void onRefresh() {
			// the command runs instead
		}

	}

}
