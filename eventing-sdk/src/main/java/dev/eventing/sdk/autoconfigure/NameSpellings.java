package dev.eventing.sdk.autoconfigure;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * The names that properties give to things of ours, such as relays. Two names are one if
 * they differ in case and separators only, because an environment variable can have
 * neither. Boot itself makes an entry of a map for each spelling.
 */
final class NameSpellings {

	private final ConfigurationPropertyName prefix;

	/** The names as files, system properties and arguments spell them. */
	private final Set<String> chosen = new HashSet<>();

	private NameSpellings(String prefix, Environment environment) {
		this.prefix = ConfigurationPropertyName.of(prefix);
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
			if (source instanceof IterableConfigurationPropertySource names
					&& !(source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource)) {
				names.stream()
					.filter(this.prefix::isAncestorOf)
					.forEach((name) -> this.chosen
						.add(name.getElement(this.prefix.getNumberOfElements(), Form.ORIGINAL)));
			}
		}
	}

	/** What is declared below a prefix of properties, each once. */
	static <T> Map<String, T> bind(String prefix, Class<T> type, Environment environment) {
		return once(prefix, Binder.get(environment).bind(prefix, Bindable.mapOf(String.class, type)).orElseGet(Map::of),
				environment);
	}

	/**
	 * What was bound below a prefix of properties, each once: in the spelling of the
	 * file, if there is one.
	 * @throws InvalidConfigurationPropertyValueException if one name has two spellings
	 */
	static <T> Map<String, T> once(String prefix, Map<String, T> bound, Environment environment) {
		NameSpellings spellings = new NameSpellings(prefix, environment);
		Map<String, Set<String>> names = new LinkedHashMap<>();
		bound.keySet()
			.forEach((name) -> names.computeIfAbsent(uniform(name), (key) -> new LinkedHashSet<>()).add(name));
		Map<String, T> once = new LinkedHashMap<>();
		names.values().forEach((spelled) -> {
			String name = spellings.oneOf(spelled);
			once.put(name, bound.get(name));
		});
		return once;
	}

	private String oneOf(Set<String> spelled) {
		Set<String> candidates = new LinkedHashSet<>(spelled);
		candidates.retainAll(this.chosen);
		if (candidates.isEmpty()) {
			candidates = spelled;
		}
		String name = candidates.iterator().next();
		for (String other : spelled) {
			boolean another = candidates.contains(other) && !other.equals(name);
			// a name in brackets does not take what a variable sets
			if (another || !property(name).equals(property(other))) {
				throw refused(this.prefix.toString(), name, other);
			}
		}
		return name;
	}

	private ConfigurationPropertyName property(String name) {
		boolean plain = name.chars().allMatch((c) -> Character.isLetterOrDigit(c) || c == '-' || c == '_');
		return plain ? ConfigurationPropertyName.adapt(this.prefix + "." + name, '.')
				: this.prefix.append("[" + name + "]");
	}

	/**
	 * Checks the names of beans, of which some are declared by properties.
	 * @throws InvalidConfigurationPropertyValueException if two names differ in their
	 * spelling only
	 */
	static void check(String prefix, Iterable<String> names) {
		Map<String, String> known = new HashMap<>();
		for (String name : names) {
			String first = known.putIfAbsent(uniform(name), name);
			if (first != null && !first.equals(name)) {
				throw refused(prefix, first, name);
			}
		}
	}

	static InvalidConfigurationPropertyValueException refused(String prefix, String one, String other) {
		return new InvalidConfigurationPropertyValueException(prefix, List.of(one, other),
				"'" + one + "' and '" + other + "' are two spellings of one name, because properties and environment"
						+ " variables do not distinguish case and separators. Consider one spelling in all places.");
	}

	/** The name without case and separators. */
	static String uniform(String name) {
		return name.replaceAll("[^\\p{Alnum}]", "").toLowerCase(Locale.ENGLISH);
	}

}
