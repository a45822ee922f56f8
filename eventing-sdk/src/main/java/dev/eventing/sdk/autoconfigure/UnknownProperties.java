package dev.eventing.sdk.autoconfigure;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.support.SpringFactoriesLoader;

/**
 * Warns of unknown properties {@code eventing.*}, which are usually typing errors. This
 * is not an error, because a property may be for another version of the SDK.
 */
final class UnknownProperties implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(UnknownProperties.class);

	private static final ConfigurationPropertyName OURS = ConfigurationPropertyName.of("eventing");

	/** The prefix of properties that the test kit reads. */
	private static final ConfigurationPropertyName TEST_KIT = ConfigurationPropertyName.of("eventing.test");

	private static final List<Class<? extends Record>> RECORDS = List.of(EventingProperties.class,
			CommandProperties.class, LiveViewWebProperties.class);

	private final Environment environment;

	private final KnownProperties known;

	private final OperatorProperties operators;

	UnknownProperties(Environment environment) {
		this.environment = environment;
		this.known = KnownProperties.of(records());
		this.operators = new OperatorProperties(this.known);
	}

	/** The records of all properties, of other modules too. */
	static List<Class<? extends Record>> records() {
		return Stream
			.concat(RECORDS.stream(),
					SpringFactoriesLoader.forDefaultResourceLocation(UnknownProperties.class.getClassLoader())
						.load(PropertyRecords.class)
						.stream()
						.flatMap((module) -> module.records().stream()))
			.toList();
	}

	@Override
	public void afterSingletonsInstantiated() {
		Set<ConfigurationPropertyName> withoutModule = new LinkedHashSet<>();
		Set<ConfigurationPropertyName> unknown = new LinkedHashSet<>();
		Set<ConfigurationPropertyName> unread = new LinkedHashSet<>();
		KnownVariables variables = new KnownVariables(this.known, this.environment);
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(this.environment)) {
			if (source instanceof IterableConfigurationPropertySource names) {
				boolean ofVariables = source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
				ServiceVariables services = new ServiceVariables(ofVariables ? names.stream() : Stream.empty());
				names.stream().filter((name) -> isOurs(name) && !services.has(name)).forEach((name) -> {
					ConfigurationPropertyName ofOperators = this.operators.withoutModule(name);
					if (ofOperators != null) {
						withoutModule.add(ofOperators);
					}
					else if (ofVariables ? variables.isUnknown(name) : this.known.isUnknown(name)) {
						((ofVariables && variables.meant(name) != null) ? unread : unknown).add(name);
					}
				});
			}
		}
		withoutModule.forEach(UnknownProperties::warnOfTheMissingModule);
		unknown.forEach(
				(name) -> logger.warn("Property '{}' has no effect: there is no property of that name. Consider '{}'.",
						name, this.known.nearest(name)));
		unread.forEach((name) -> logger.warn(
				"Variable '{}' has no effect: its underscores are not where a property has dots. Consider '{}'.",
				KnownVariables.variable(name), variables.meant(name)));
	}

	private static void warnOfTheMissingModule(ConfigurationPropertyName name) {
		logger.warn("Property '{}' has no effect: only the module for operators reads it. Consider the dependency "
				+ "'dev.eventing:eventing-operator'.", name);
	}

	private static boolean isOurs(ConfigurationPropertyName name) {
		return OURS.isAncestorOf(name) && !TEST_KIT.isAncestorOf(name);
	}

}
