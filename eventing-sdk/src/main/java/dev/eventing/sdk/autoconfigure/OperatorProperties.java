package dev.eventing.sdk.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/**
 * The properties of {@code eventing-operator}, if the application lacks that module.
 * Nothing reads them there, although their names are right. Immutable.
 */
final class OperatorProperties {

	private static final List<ConfigurationPropertyName> ALL = Stream
		.of("eventing.console.enabled", "eventing.console.path", "eventing.console.access",
				"eventing.deadletters.write-enabled", "eventing.deadletters.show-payload",
				"eventing.erasure.write-enabled", "eventing.projector.write-enabled")
		.map(ConfigurationPropertyName::of)
		.toList();

	/** By their names without separators, because variables have others. */
	private final Map<String, ConfigurationPropertyName> unread;

	/**
	 * Creates the properties that nothing reads.
	 * @param known what is read; with the module, that is all of its properties
	 */
	OperatorProperties(KnownProperties known) {
		this.unread = ALL.stream()
			.filter(known::isUnknown)
			.collect(Collectors.toUnmodifiableMap(OperatorProperties::glued, Function.identity()));
	}

	/**
	 * The property of this name or variable, or null if it is none of the module, or if
	 * the module is there.
	 */
	@Nullable ConfigurationPropertyName withoutModule(ConfigurationPropertyName name) {
		return this.unread.get(glued(name));
	}

	private static String glued(ConfigurationPropertyName name) {
		return String.join("", KnownProperties.elements(name));
	}

}
