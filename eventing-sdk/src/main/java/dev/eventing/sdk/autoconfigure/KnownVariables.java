package dev.eventing.sdk.autoconfigure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.env.Environment;

/**
 * The environment variables that set a property. Boot reads two forms of a name: all
 * separators left out, as in {@code EVENTING_RELAYS_ORDEREVENTS_PAGESIZE}, or an
 * underscore for each. The second form reaches only the names that a file has. Immutable.
 */
final class KnownVariables {

	private final List<List<String>> paths;

	private final Set<String> read = new HashSet<>();

	KnownVariables(KnownProperties known, Environment environment) {
		this.paths = known.paths();
		known.maps().forEach((prefix, type) -> readNamed(prefix, names(prefix, type, environment)));
		this.paths.stream().filter((path) -> !path.contains(KnownProperties.ANY)).forEach(this::read);
	}

	private static Set<String> names(String prefix, Class<?> type, Environment environment) {
		return NameSpellings.bind(prefix, type, environment).keySet();
	}

	private void readNamed(String prefix, Set<String> names) {
		int any = prefix.split("\\.").length;
		this.paths.stream().filter((path) -> path.indexOf(KnownProperties.ANY) == any).forEach((path) -> {
			List<String> named = new ArrayList<>(path);
			for (String name : names) {
				named.set(any, name);
				read(named);
			}
		});
	}

	private void read(List<String> path) {
		this.read.add(variable(path.stream().map(NameSpellings::uniform).toList()));
		this.read.add(variable(path));
	}

	/**
	 * Whether nothing reads the variable. Only those that begin like a property are
	 * checked: the others may be of another program.
	 */
	boolean isUnknown(ConfigurationPropertyName name) {
		List<String> elements = KnownProperties.elements(name);
		String glued = String.join("", elements);
		return this.paths.stream().anyMatch((path) -> glued.startsWith(glued(path.subList(0, 2))))
				&& !this.read.contains(variable(elements));
	}

	/** The variable as the environment has it, without the index of a list's element. */
	static String variable(ConfigurationPropertyName name) {
		return variable(KnownProperties.elements(name));
	}

	private static String variable(List<String> elements) {
		return String.join("_", elements).replace('-', '_').toUpperCase(Locale.ENGLISH);
	}

	/**
	 * The variable that was meant by one with separators in other places, or null if it
	 * is that of no property.
	 */
	@Nullable String meant(ConfigurationPropertyName name) {
		String glued = String.join("", KnownProperties.elements(name));
		return this.paths.stream()
			.filter((path) -> meant(path, glued) != null)
			.max(Comparator.comparingInt((path) -> glued(path).length()))
			.map((path) -> meant(path, glued))
			.orElse(null);
	}

	private static @Nullable String meant(List<String> path, String glued) {
		List<String> elements = new ArrayList<>(path.stream().map(KnownProperties::uniform).toList());
		int any = path.indexOf(KnownProperties.ANY);
		if (any >= 0) {
			int from = glued(path.subList(0, any)).length();
			int to = glued.length() - glued(path.subList(any + 1, path.size())).length();
			if (to <= from) {
				return null;
			}
			elements.set(any, glued.substring(from, to));
		}
		return String.join("", elements).equals(glued) ? variable(elements) : null;
	}

	private static String glued(List<String> path) {
		return KnownProperties.uniform(String.join("", path));
	}

}
