package dev.eventing.sdk.autoconfigure;

import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.operator.DeadLetterOperations;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** The common part of the Actuator endpoint and the console. */
@AutoConfiguration(after = EventingAutoConfiguration.class)
@ConditionalOnWebApplication
@ConditionalOnBean(DeadLetters.class)
@EnableConfigurationProperties(DeadLetterAccessProperties.class)
public final class EventingOperatorAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	DeadLetterOperations eventingDeadLetterDesk(DeadLetters letters, DeadLetterAccessProperties properties) {
		return new DeadLetterOperations(letters, properties.rules());
	}

}
