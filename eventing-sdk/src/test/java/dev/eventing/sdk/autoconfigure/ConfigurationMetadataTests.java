package dev.eventing.sdk.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

import dev.eventing.sdk.projector.ProjectorSettings;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/** What an IDE shows of the properties. */
class ConfigurationMetadataTests {

	private static final String DEFAULTS = "eventing.projector.defaults";

	/** Unset means something that no value can say. */
	private static final Set<String> WITHOUT_DEFAULT = Set.of("eventing.command.run", "eventing.command.tenant",
			"eventing.command.fold", "eventing.command.streams", "eventing.nats.connection-name",
			"eventing.nats.jetstream-domain", "eventing.nats.jetstream-api-prefix", "eventing.nats.username",
			"eventing.nats.password", "eventing.nats.token", "eventing.nats.credentials-file",
			"eventing.nats.ssl.bundle", "eventing.events.written-versions", "eventing.store.source", "eventing.streams",
			"eventing.relays", "eventing.projectors", "eventing.projector.defaults.key",
			"eventing.projector.defaults.retry-for", "eventing.projector.defaults.no-retry-for",
			"eventing.projector.defaults.tenancy", "eventing.projector.defaults.dead-letters.parking",
			"eventing.projector.defaults.dead-letters.redrive-for");

	private final Map<String, JsonNode> properties = read();

	@Test
	void everyPropertyIsDescribedByTheRulesOfBoot() {
		SoftAssertions all = new SoftAssertions();
		this.properties.forEach((name, property) -> {
			String description = property.path("description").asString("");
			all.assertThat(description).as(name).matches("[A-Z].*\\.").doesNotMatch("(The|A|An) .*");
			if (property.path("type").asString("").equals(Boolean.class.getName())) {
				all.assertThat(description).as(name).startsWith("Whether ");
			}
		});
		all.assertAll();
	}

	@Test
	void everyPropertyShowsItsDefaultWhereItHasOne() {
		SoftAssertions all = new SoftAssertions();
		this.properties.forEach((name, property) -> all.assertThat(property.has("defaultValue"))
			.as("%s shows a default", name)
			.isEqualTo(!WITHOUT_DEFAULT.contains(name)));
		all.assertAll();
	}

	@Test
	void everythingThatCanBeSaidOfAProjectorIsAProperty() {
		List<String> said = properties(DEFAULTS, ProjectorSettings.class);
		assertThat(said).hasSizeGreaterThan(20);
		assertThat(this.properties.keySet()).containsAll(said);
	}

	@Test
	void theDefaultsShownForProjectorsAreWhatIsBuiltIn() {
		Map<String, Object> shown = new HashMap<>();
		this.properties.forEach((name, property) -> {
			if (name.startsWith(DEFAULTS) && property.has("defaultValue")) {
				shown.put(name, property.path("defaultValue").asString());
			}
		});
		ProjectorSettings defaults = new Binder(new MapConfigurationPropertySource(shown))
			.bind(DEFAULTS, ProjectorSettings.class)
			.get();
		assertThat(defaults).usingRecursiveComparison()
			.ignoringFields("retryFor", "noRetryFor", "deadLetters.redriveFor")
			.isEqualTo(ProjectorSettings.BUILT_IN);
	}

	private static List<String> properties(String prefix, Class<?> settings) {
		return Arrays.stream(settings.getRecordComponents())
			.flatMap((component) -> component.getType().isRecord()
					? properties(property(prefix, component), component.getType()).stream()
					: Stream.of(property(prefix, component)))
			.toList();
	}

	private static String property(String prefix, RecordComponent component) {
		return property(prefix, component.getName());
	}

	private static String property(String prefix, String name) {
		return prefix + "." + name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ENGLISH);
	}

	private static Map<String, JsonNode> read() {
		try (InputStream metadata = Objects.requireNonNull(
				ConfigurationMetadataTests.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json"))) {
			Map<String, JsonNode> properties = new TreeMap<>();
			JsonMapper.shared()
				.readTree(metadata)
				.path("properties")
				.forEach((property) -> properties.put(property.path("name").asString(), property));
			return properties;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
