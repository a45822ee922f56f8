package dev.eventing.sdk.autoconfigure;

import dev.eventing.sdk.autoconfigure.EventingProperties.Deadletters;
import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.operator.DeadLetterDesk;
import dev.eventing.sdk.operator.OperatorRules;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;

/** What the Actuator endpoint and the console have in common. */
@AutoConfiguration(after = EventingAutoConfiguration.class)
@ConditionalOnWebApplication
@ConditionalOnBean(DeadLetters.class)
public final class EventingOperatorAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	DeadLetterDesk eventingDeadLetterDesk(DeadLetters letters, EventingProperties properties) {
		Deadletters allowed = properties.deadletters();
		return new DeadLetterDesk(letters, new OperatorRules(allowed.writeEnabled(), allowed.showPayload()));
	}

}
