package dev.eventing.sdk.autoconfigure.operator;

import dev.eventing.sdk.autoconfigure.EventingAutoConfiguration;
import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.erasure.Erasure;
import dev.eventing.sdk.operator.CheckOperations;
import dev.eventing.sdk.operator.DeadLetterOperations;
import dev.eventing.sdk.operator.DiffOperations;
import dev.eventing.sdk.operator.ErasureOperations;
import dev.eventing.sdk.operator.InlineOperations;
import dev.eventing.sdk.operator.OperatorHints;
import dev.eventing.sdk.operator.ProjectionOperations;
import dev.eventing.sdk.operator.ProjectorOperations;
import dev.eventing.sdk.projection.Checks;
import dev.eventing.sdk.projection.InlineProjections;
import dev.eventing.sdk.projection.Projections;
import dev.eventing.sdk.projection.Projectors;
import dev.eventing.sdk.projection.Reconciliations;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;

/** The operations that the API of the console calls. */
@AutoConfiguration(after = EventingAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "eventing.console.enabled")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBean(DeadLetters.class)
@EnableConfigurationProperties({ DeadLetterAccessProperties.class, ProjectorAccessProperties.class,
		ErasureAccessProperties.class })
@ImportRuntimeHints(OperatorHints.class)
public final class EventingOperatorAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	DeadLetterOperations eventingDeadLetterOperations(DeadLetters letters, DeadLetterAccessProperties properties) {
		return new DeadLetterOperations(letters, properties.rules());
	}

	@Bean
	@ConditionalOnMissingBean
	ProjectorOperations eventingProjectorOperations(Projectors projectors, ProjectorAccessProperties properties) {
		return new ProjectorOperations(projectors, properties.writeEnabled());
	}

	@Bean
	@ConditionalOnMissingBean
	ProjectionOperations eventingProjectionOperations(ProjectorOperations projectors, Projections projections) {
		return new ProjectionOperations(projectors, projections);
	}

	@Bean
	@ConditionalOnMissingBean
	CheckOperations eventingCheckOperations(ProjectorOperations projectors, Checks checks) {
		return new CheckOperations(projectors, checks);
	}

	@Bean
	@ConditionalOnMissingBean
	DiffOperations eventingDiffOperations(ProjectorOperations projectors, Projections projections,
			Reconciliations reconciliations) {
		return new DiffOperations(projectors, projections, reconciliations);
	}

	@Bean
	@ConditionalOnMissingBean
	InlineOperations eventingInlineOperations(ProjectorOperations projectors, InlineProjections inline) {
		return new InlineOperations(projectors, inline);
	}

	@Bean
	@ConditionalOnMissingBean
	ErasureOperations eventingErasureOperations(Erasure erasure, ErasureAccessProperties properties) {
		return new ErasureOperations(erasure, properties.writeEnabled());
	}

}
