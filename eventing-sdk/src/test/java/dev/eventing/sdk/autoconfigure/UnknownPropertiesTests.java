package dev.eventing.sdk.autoconfigure;

import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class UnknownPropertiesTests {

	private final ApplicationContextRunner context = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(EventingAutoConfiguration.class))
		.withUserConfiguration(EventingAutoConfigurationTests.Database.class)
		.withPropertyValues("eventing.schema.mode=none", "eventing.nats.servers=nats://127.0.0.1:1");

	@ParameterizedTest
	@CsvSource({ "eventing.nats.server, eventing.nats.servers",
			"eventing.projector.max-deliver, eventing.projector.defaults.max-deliver",
			"eventing.relay.window, eventing.relays.<name>.window",
			"eventing.projectors.users.max-delivers, eventing.projectors.users.max-deliver",
			"eventing.projector.default.batch-size, eventing.projector.defaults.batch-size",
			"eventing.projectors.users.dead-letters.redrive-delays, eventing.projectors.users.dead-letters.redrive-delay",
			"eventing.relays.orders.windows, eventing.relays.orders.window",
			"eventing.store.notifies, eventing.store.notify", "eventing.store.subjects, eventing.store.subject",
			"eventing.streams.loans.subject, eventing.streams.loans.subjects", "eventing.enable, eventing.enabled" })
	void areWarnedOfWithTheNearestThatIsKnown(String unknown, String nearest, CapturedOutput output) {
		this.context.withPropertyValues(unknown + "=1")
			.run((found) -> assertThat(output).containsOnlyOnce("has no effect: there is no property of that name")
				.contains("WARN")
				.contains("Property '" + unknown + "' has no effect")
				.contains("Consider '" + nearest + "'."));
	}

	@ParameterizedTest
	@ValueSource(strings = { "eventing.nats.connection-name=x", "eventing.nats.connectionName=x",
			"eventing.nats.connection_name=x", "eventing.nats.servers[0]=nats://127.0.0.1:1",
			"eventing.streams.ORDERS.subjects=orders.>", "eventing.streams.ORDERS.subjects[0]=orders.>",
			"eventing.projectors.[shop+users].max-deliver=9", "eventing.projectors.Users.deadLetters.redriveLimit=1",
			"eventing.projector.defaults.retry-for=java.io.IOException", "eventing.store.notify=false",
			"eventing.deadletters.forward=false", "eventing.relays.orders.enabled=false", "eventing.relays=",
			"eventing.test.servers=local", "eventing-shop.anything=1", "eventing.processed-events.prune-every=2h" })
	void areNotThoseThatSomethingOfOursReads(String property, CapturedOutput output) {
		this.context.withPropertyValues(property)
			.run((found) -> assertThat(output).doesNotContain("there is no property of that name"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "eventing.console.enabled", "eventing.console.path", "eventing.console.access",
			"eventing.deadletters.write-enabled", "eventing.deadletters.show-payload", "eventing.erasure.write-enabled",
			"eventing.projector.write-enabled" })
	void ofOperatorsAreWarnedOfWithTheModuleThatReadsThem(String property, CapturedOutput output) {
		this.context.withPropertyValues(property + "=x")
			.run((found) -> assertThat(output).containsOnlyOnce("has no effect: ")
				.contains("WARN")
				.contains("Property '" + property + "' has no effect: only the module for operators reads it")
				.contains("'dev.eventing:eventing-operator'"));
	}

	@ParameterizedTest
	@CsvSource({ "EVENTING_CONSOLE_ENABLED, eventing.console.enabled",
			"EVENTING_DEADLETTERS_WRITE_ENABLED, eventing.deadletters.write-enabled",
			"EVENTING_PROJECTOR_WRITEENABLED, eventing.projector.write-enabled" })
	void ofOperatorsAreFoundAmongVariables(String variable, String property, CapturedOutput output) {
		withVariables(Map.of(variable, "true")).run((found) -> assertThat(output).containsOnlyOnce("has no effect: ")
			.contains("Property '" + property + "' has no effect: only the module for operators reads it"));
	}

	@Test
	void areFoundAmongVariablesOfTheEnvironment(CapturedOutput output) {
		withVariables(Map.of("EVENTING_NATS_SERVER", "nats://elsewhere:4222"))
			.run((found) -> assertThat(output).contains("Property 'eventing.nats.server' has no effect")
				.contains("Consider 'eventing.nats.servers'."));
	}

	@ParameterizedTest
	@ValueSource(strings = { "EVENTING_NATS_CONNECTIONNAME", "EVENTING_NATS_CONNECTION_NAME",
			"EVENTING_PROJECTORS_USERPROJECTOR_KEY", "EVENTING_PROJECTORS_SHOP_USERS_MAX_DELIVER",
			"EVENTING_PROJECTORS_SHOPUSERS_MAXDELIVER", "EVENTING_PROCESSED_EVENTS_PRUNE_EVERY",
			"EVENTING_PROJECTORS_SHOP_USERS_RETRY_FOR_0", "EVENTING_ENABLED", "EVENTING_RELAYS_ORDERS_PAGE_SIZE",
			"EVENTING_STREAMS_ORDERS_SUBJECTS_0", "EVENTING_TEST_NATS_SERVER", "EVENTING_DATABASE_URL",
			"EVENTING_HOME" })
	void areNotVariablesThatSomethingOfOursReadsOrThatAreOfOthers(String variable, CapturedOutput output) {
		String value = variable.contains("RETRY_FOR") ? "java.io.IOException"
				: variable.equals("EVENTING_ENABLED") ? "true" : variable.endsWith("EVERY") ? "2h" : "1";
		withVariables(Map.of(variable, value)).withPropertyValues("eventing.projectors.shop-users.batch-size=5")
			.run((found) -> assertThat(output).doesNotContain("has no effect: "));
	}

	@ParameterizedTest
	@CsvSource({ "EVENTING_PROJECTORS_USER_PROJECTOR_MAXDELIVER, EVENTING_PROJECTORS_USERPROJECTOR_MAXDELIVER",
			"EVENTING_PROJECTORS_USER_PROJECTOR_MAX_DELIVER, EVENTING_PROJECTORS_USERPROJECTOR_MAXDELIVER",
			"EVENTING_PROJECTORS_SHOPUSERS_MAX_DELIVER, EVENTING_PROJECTORS_SHOPUSERS_MAXDELIVER",
			"EVENTING_PROJECTORS_SHOP_USERS_MAXDELIVER, EVENTING_PROJECTORS_SHOPUSERS_MAXDELIVER",
			"EVENTING_STREAMS_ORDER_EVENTS_SUBJECTS, EVENTING_STREAMS_ORDEREVENTS_SUBJECTS",
			"EVENTING_RELAYS_ORDER_EVENTS_WINDOWBYTES, EVENTING_RELAYS_ORDEREVENTS_WINDOWBYTES",
			"EVENTING_PROCESSEDEVENTS_PRUNE_EVERY, EVENTING_PROCESSEDEVENTS_PRUNEEVERY" })
	void areVariablesWhoseUnderscoresAreInOtherPlaces(String variable, String meant, CapturedOutput output) {
		withVariables(Map.of(variable, "1")).withPropertyValues("eventing.projectors.shop-users.batch-size=5")
			.run((found) -> assertThat(output).contains("WARN")
				.contains("Variable '" + variable + "' has no effect")
				.contains("Consider '" + meant + "'."));
	}

	@Test
	void areNotVariablesThatKubernetesSetsForAService(CapturedOutput output) {
		withVariables(Map.of("EVENTING_NATS_SERVICE_HOST", "10.0.0.7", "EVENTING_NATS_SERVICE_PORT", "4222",
				"EVENTING_NATS_SERVICE_PORT_CLIENT", "4222", "EVENTING_NATS_PORT", "tcp://10.0.0.7:4222",
				"EVENTING_NATS_PORT_4222_TCP", "tcp://10.0.0.7:4222", "EVENTING_NATS_PORT_4222_TCP_PROTO", "tcp",
				"EVENTING_NATS_PORT_4222_TCP_PORT", "4222", "EVENTING_NATS_PORT_4222_TCP_ADDR", "10.0.0.7",
				"EVENTING_NATS_SERVER", "nats://elsewhere:4222"))
			.run((found) -> assertThat(output).containsOnlyOnce("has no effect: ")
				.contains("Property 'eventing.nats.server' has no effect"));
	}

	private ApplicationContextRunner withVariables(Map<String, Object> variables) {
		return this.context.withInitializer((application) -> application.getEnvironment()
			.getPropertySources()
			.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", variables)));
	}

}
