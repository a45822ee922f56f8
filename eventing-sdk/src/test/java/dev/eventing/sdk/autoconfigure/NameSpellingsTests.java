package dev.eventing.sdk.autoconfigure;

import java.util.List;
import java.util.Map;

import dev.eventing.sdk.nats.StreamSpec;
import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorSettingsSource;
import dev.eventing.sdk.relay.RelayOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/** One name in several spellings, for everything that properties declare by a name. */
class NameSpellingsTests {

	private final ApplicationContextRunner context = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(EventingAutoConfiguration.class))
		.withUserConfiguration(EventingAutoConfigurationTests.Database.class)
		.withPropertyValues("eventing.schema.mode=none", "eventing.nats.servers=nats://127.0.0.1:1");

	@ParameterizedTest
	@CsvSource({ "order-events, EVENTING_RELAYS_ORDEREVENTS_WINDOW",
			"order-events, EVENTING_RELAYS_ORDER_EVENTS_WINDOW", "orderEvents, EVENTING_RELAYS_ORDEREVENTS_WINDOW",
			"Order_Events, EVENTING_RELAYS_ORDEREVENTS_WINDOW" })
	void aVariableIsForTheRelayThatTheFileNames(String name, String variable) {
		withVariables(Map.of(variable, "1000"))
			.withPropertyValues("eventing.relays." + name + ".page-size=50",
					"eventing.relays." + name + ".categories=order")
			.run((found) -> assertThat(found.getBeansOfType(RelayOptions.class).values())
				.containsExactly(RelayOptions.named(name).withCategories("order").withWindow(1000, 50)));
	}

	@Test
	void aVariableAloneDeclaresARelay() {
		withVariables(
				Map.of("EVENTING_RELAYS_ORDEREVENTS_ENABLED", "true", "EVENTING_RELAYS_ORDEREVENTS_WINDOW", "900"))
			.run((found) -> assertThat(found.getBeansOfType(RelayOptions.class).values())
				.containsExactly(RelayOptions.named("orderevents").withWindow(900, RelayOptions.DEFAULT_PAGE_SIZE)));
	}

	@Test
	void aVariableIsForTheStreamThatTheFileNames() {
		withVariables(Map.of("EVENTING_STREAMS_ORDEREVENTS_REPLICAS", "3"))
			.withPropertyValues("eventing.streams.ORDER_EVENTS.subjects=orders.>")
			.run((found) -> assertThat(found.getBeansOfType(StreamSpec.class).values())
				.containsExactly(new StreamSpec("ORDER_EVENTS", List.of("orders.>"), 3, null)));
	}

	@Test
	void aVariableIsForTheProjectorThatTheFileNames() {
		withVariables(Map.of("EVENTING_PROJECTORS_USERPROJECTOR_MAXDELIVER", "7"))
			.withPropertyValues("eventing.projectors.user-projector.batch-size=5")
			.run((found) -> {
				ProjectorSettingsSource settings = found.getBean(ProjectorSettingsSource.class);
				assertThat(settings.forProjector("user-projector"))
					.isEqualTo(ProjectorSettings.builder().maxDeliver(7).batchSize(5).build());
				assertThat(found.getBean(PropertiesProjectorSettings.class).unused()).isEmpty();
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "eventing.relays.%s.window=1000", "eventing.streams.%s.subjects=orders.>",
			"eventing.projectors.%s.max-deliver=4" })
	void twoSpellingsInFilesAreRefused(String property) {
		this.context.withPropertyValues(property.formatted("order-events"), property.formatted("OrderEvents"))
			.run((found) -> assertThat(found).getFailure()
				.hasStackTraceContaining("'order-events'")
				.hasStackTraceContaining("'OrderEvents'")
				.hasStackTraceContaining(property.substring(0, property.indexOf(".%s")) + " with value '[")
				.hasStackTraceContaining("two spellings of one name"));
	}

	@Test
	void aVariableThatDoesNotReachANameInBracketsIsRefused() {
		withVariables(Map.of("EVENTING_PROJECTORS_SHOPUSERS_MAXDELIVER", "7"))
			.withPropertyValues("eventing.projectors.[shop+users].batch-size=5")
			.run((found) -> assertThat(found).getFailure()
				.hasStackTraceContaining("'shop+users' and 'shopusers' are two spellings of one name"));
	}

	@Test
	void aPropertyInAnotherSpellingThanTheBeanIsRefused() {
		withVariables(Map.of("EVENTING_RELAYS_ORDEREVENTS_WINDOW", "1000"))
			.withBean("orderEvents", RelayOptions.class, () -> RelayOptions.named("order-events"))
			.run((found) -> assertThat(found).getFailure()
				.hasStackTraceContaining("'order-events'")
				.hasStackTraceContaining("'orderevents'"));
		withVariables(Map.of("EVENTING_STREAMS_ORDERS_SUBJECTS", "orders.>"))
			.withBean("orders", StreamSpec.class, () -> new StreamSpec("ORDERS", List.of("orders.>"), 1, null))
			.run((found) -> assertThat(found).getFailure()
				.hasStackTraceContaining("'ORDERS'")
				.hasStackTraceContaining("'orders'"));
	}

	private ApplicationContextRunner withVariables(Map<String, Object> variables) {
		return this.context.withInitializer((application) -> application.getEnvironment()
			.getPropertySources()
			.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", variables)));
	}

}
