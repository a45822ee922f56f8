package dev.eventing.sdk.autoconfigure.operator;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

import javax.sql.DataSource;

import dev.eventing.sdk.autoconfigure.EventingAutoConfiguration;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;

import static org.assertj.core.api.Assertions.assertThat;

/** The properties of the operators' module: known to the SDK, and described. */
@ExtendWith(OutputCaptureExtension.class)
class OperatorPropertiesTests {

	private final ApplicationContextRunner context = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(EventingAutoConfiguration.class))
		.withUserConfiguration(Database.class)
		.withPropertyValues("eventing.schema.mode=none", "eventing.nats.servers=nats://127.0.0.1:1");

	@Test
	void areTheNearestOfATypingError(CapturedOutput output) {
		this.context.withPropertyValues("eventing.consol.path=1")
			.run((found) -> assertThat(output).containsOnlyOnce("has no effect: there is no property of that name")
				.contains("WARN")
				.contains("Property 'eventing.consol.path' has no effect")
				.contains("Consider 'eventing.console.path'."));
	}

	@ParameterizedTest
	@ValueSource(strings = { "eventing.console.path=/x", "eventing.console.enabled=false",
			"eventing.deadletters.write-enabled=true", "eventing.deadletters.show-payload=true",
			"eventing.erasure.write-enabled=true", "eventing.projector.write-enabled=true" })
	void areNotUnknown(String property, CapturedOutput output) {
		this.context.withPropertyValues(property).run((found) -> assertThat(output).doesNotContain("has no effect: "));
	}

	@Test
	void areDescribedByTheRulesOfBootAndShowTheirDefaults() throws IOException {
		Map<String, JsonNode> properties = read();
		assertThat(properties.keySet()).filteredOn((name) -> name.startsWith("eventing."))
			.as("OperatorProperties of the SDK lists them, for starts without this module")
			.containsExactlyInAnyOrder("eventing.console.access", "eventing.console.enabled", "eventing.console.path",
					"eventing.deadletters.show-payload", "eventing.deadletters.write-enabled",
					"eventing.erasure.write-enabled", "eventing.projector.write-enabled");
		SoftAssertions all = new SoftAssertions();
		properties.forEach((name, property) -> {
			String description = property.path("description").asString("");
			all.assertThat(description).as(name).matches("[A-Z].*\\.").doesNotMatch("(The|A|An) .*");
			if (property.path("type").asString("").equals(Boolean.class.getName())) {
				all.assertThat(description).as(name).startsWith("Whether ");
			}
			all.assertThat(property.has("defaultValue")).as("%s shows a default", name).isTrue();
		});
		all.assertAll();
	}

	/** Of this module: its classes come first on the class path. */
	private static Map<String, JsonNode> read() throws IOException {
		try (InputStream metadata = Objects.requireNonNull(
				OperatorPropertiesTests.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json"))) {
			Map<String, JsonNode> properties = new TreeMap<>();
			JsonMapper.shared()
				.readTree(metadata)
				.path("properties")
				.forEach((property) -> properties.put(property.path("name").asString(), property));
			return properties;
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class Database {

		@Bean
		DriverManagerDataSource dataSource() {
			return new DriverManagerDataSource("jdbc:none:nowhere");
		}

		@Bean
		JdbcTransactionManager transactionManager(DataSource dataSource) {
			return new JdbcTransactionManager(dataSource);
		}

	}

}
