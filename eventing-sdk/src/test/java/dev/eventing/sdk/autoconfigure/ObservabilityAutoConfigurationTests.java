package dev.eventing.sdk.autoconfigure;

import dev.eventing.sdk.observability.DeadLetterHealthIndicator;
import dev.eventing.sdk.observability.EventingHealthIndicator;
import dev.eventing.sdk.observability.ProjectorMetrics;
import dev.eventing.sdk.observability.RelayHealthIndicator;
import dev.eventing.sdk.observability.RelayMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

class ObservabilityAutoConfigurationTests {

	private final ApplicationContextRunner context = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(EventingAutoConfiguration.class, EventingHealthAutoConfiguration.class,
				EventingMetricsAutoConfiguration.class))
		.withUserConfiguration(EventingAutoConfigurationTests.Database.class)
		.withBean(SimpleMeterRegistry.class)
		.withPropertyValues("eventing.schema.mode=none");

	@Test
	void addsMetersAndHealth() {
		this.context.run((found) -> assertThat(found).hasSingleBean(ProjectorMetrics.class)
			.hasSingleBean(EventingHealthIndicator.class)
			.hasBean("eventingHealthIndicator"));
	}

	@Test
	void addsThoseOfRelaysWhereThereAreAny() {
		this.context.run((found) -> assertThat(found).doesNotHaveBean(RelayMetrics.class)
			.doesNotHaveBean(RelayHealthIndicator.class));
		this.context.withPropertyValues("eventing.relays.orders.categories=order")
			.run((found) -> assertThat(found).hasSingleBean(RelayMetrics.class)
				.hasSingleBean(RelayHealthIndicator.class));
	}

	@Test
	void addsHealthOfForwardingWhereLettersAreForwarded() {
		this.context.run((found) -> assertThat(found).hasSingleBean(DeadLetterHealthIndicator.class));
		this.context.withPropertyValues("eventing.deadletters.forward=false")
			.run((found) -> assertThat(found.getBeansOfType(DeadLetterHealthIndicator.class)).isEmpty());
	}

	@Test
	void addsNothingWithoutTheLibraries() {
		this.context.withClassLoader(new FilteredClassLoader(MeterRegistry.class, HealthIndicator.class))
			.run((found) -> assertThat(found).hasNotFailed()
				.doesNotHaveBean("eventingProjectorMetrics")
				.doesNotHaveBean("eventingHealthIndicator"));
	}

	@Test
	void addsNothingWhereTheSdkIsSwitchedOff() {
		this.context.withPropertyValues("eventing.enabled=false")
			.run((found) -> assertThat(found).hasNotFailed()
				.doesNotHaveBean(ProjectorMetrics.class)
				.doesNotHaveBean(EventingHealthIndicator.class));
	}

	@Test
	void addsNoMetersWithoutARegistry() {
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(EventingAutoConfiguration.class, EventingMetricsAutoConfiguration.class))
			.withUserConfiguration(EventingAutoConfigurationTests.Database.class)
			.withPropertyValues("eventing.schema.mode=none")
			.run((found) -> assertThat(found).hasNotFailed().doesNotHaveBean(ProjectorMetrics.class));
	}

	@Test
	void leavesHealthOutWhereThePropertySaysSo() {
		this.context.withPropertyValues("management.health.eventing.enabled=false")
			.run((found) -> assertThat(found).hasSingleBean(ProjectorMetrics.class)
				.doesNotHaveBean(EventingHealthIndicator.class));
	}

}
