package dev.eventing.sdk.autoconfigure;

import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

import dev.eventing.sdk.event.NearestName;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.util.ReflectionUtils;

/**
 * The names of all properties of certain configuration records, as paths of elements. The
 * element {@link #ANY} matches any key of a map. Immutable.
 */
final class KnownProperties {

	static final String ANY = "*";

	/** Stands for the key of a map, which the reader knows. */
	private static final String UNNAMED = "<name>";

	private final List<List<String>> paths;

	private final Map<String, Class<?>> maps;

	private KnownProperties(List<List<String>> paths, Map<String, Class<?>> maps) {
		this.paths = List.copyOf(paths);
		this.maps = Map.copyOf(maps);
	}

	/** The properties of these records, each with {@link ConfigurationProperties}. */
	static KnownProperties of(List<Class<? extends Record>> records) {
		List<List<String>> paths = new ArrayList<>();
		Map<String, Class<?>> maps = new HashMap<>();
		for (Class<? extends Record> type : records) {
			ConfigurationProperties prefix = Objects.requireNonNull(type.getAnnotation(ConfigurationProperties.class));
			collect(List.of(prefix.value().split("\\.")), type, paths, maps);
		}
		return new KnownProperties(paths, maps);
	}

	private static void collect(List<String> path, Class<?> type, List<List<String>> paths,
			Map<String, Class<?>> maps) {
		if (!type.isRecord()) {
			paths.add(path);
			return;
		}
		for (RecordComponent component : type.getRecordComponents()) {
			List<String> below = with(path, name(type, component));
			if (component.getType() == Map.class && component.getGenericType() instanceof ParameterizedType map
					&& map.getActualTypeArguments()[1] instanceof Class<?> values) {
				maps.put(String.join(".", below), values);
				collect(with(below, ANY), values, paths, maps);
			}
			else {
				collect(below, component.getType(), paths, maps);
			}
		}
	}

	private static String name(Class<?> type, RecordComponent component) {
		Field field = Objects.requireNonNull(ReflectionUtils.findField(type, component.getName()));
		Name said = field.getAnnotation(Name.class);
		return (said != null) ? said.value() : DataObjectPropertyName.toDashedForm(component.getName());
	}

	private static List<String> with(List<String> path, String element) {
		List<String> longer = new ArrayList<>(path);
		longer.add(element);
		return List.copyOf(longer);
	}

	/** Whether the name is neither that of a property nor that of a list's element. */
	boolean isUnknown(ConfigurationPropertyName name) {
		List<String> elements = elements(name);
		return this.paths.stream().noneMatch((path) -> begins(path, elements));
	}

	/**
	 * Whether the name is a prefix of a property. Such names are known too: an empty map
	 * is written like that.
	 */
	private static boolean begins(List<String> path, List<String> elements) {
		if (elements.size() > path.size()) {
			return false;
		}
		for (int i = 0; i < elements.size(); i++) {
			if (!path.get(i).equals(ANY) && !uniform(path.get(i)).equals(elements.get(i))) {
				return false;
			}
		}
		return true;
	}

	/** The paths of all properties. */
	List<List<String>> paths() {
		return this.paths;
	}

	/**
	 * The prefixes of maps, such as {@code eventing.relays}, and the class of their
	 * values.
	 */
	Map<String, Class<?>> maps() {
		return this.maps;
	}

	/**
	 * The name of the property that is most similar to this one. First comes one that
	 * differs in its last element by a typing error. Then the last element counts most:
	 * often others before it are missing.
	 */
	String nearest(ConfigurationPropertyName name) {
		List<String> elements = elements(name);
		String last = elements.get(elements.size() - 1);
		List<String> all = this.paths.stream().map((path) -> named(path, name)).toList();
		List<String> siblings = all.stream().filter((other) -> isSibling(name, other)).toList();
		if (!siblings.isEmpty()) {
			return NearestName.of(name.toString(), siblings);
		}
		List<String> alike = all.stream().filter((other) -> uniform(other).endsWith("." + last)).toList();
		List<String> complete = alike.stream().filter((other) -> !other.contains(UNNAMED)).toList();
		if (!complete.isEmpty()) {
			return NearestName.of(name.toString(), complete);
		}
		return NearestName.of(name.toString(), alike.isEmpty() ? all : alike);
	}

	/** Whether the last elements alone differ, and hardly. */
	private static boolean isSibling(ConfigurationPropertyName name, String known) {
		String written = name.toString();
		int end = written.lastIndexOf('.') + 1;
		int knownEnd = known.lastIndexOf('.') + 1;
		return uniform(written.substring(0, end)).equals(uniform(known.substring(0, knownEnd)))
				&& NearestName.isAlmost(written.substring(end), known.substring(knownEnd));
	}

	/** The path, with the name's keys of maps in the same places. */
	private static String named(List<String> path, ConfigurationPropertyName name) {
		List<String> elements = new ArrayList<>(path);
		for (int i = 0; i < elements.size(); i++) {
			if (elements.get(i).equals(ANY)) {
				elements.set(i, (i + 1 < name.getNumberOfElements()) ? name.getElement(i, Form.ORIGINAL) : UNNAMED);
			}
		}
		return String.join(".", elements);
	}

	/** The elements of the name without list indexes at its end. */
	static List<String> elements(ConfigurationPropertyName name) {
		List<String> elements = new ArrayList<>();
		for (int i = 0; i < name.getNumberOfElements(); i++) {
			if (i < name.getNumberOfElements() - 1 || !name.isLastElementIndexed() || !name.isNumericIndex(i)) {
				elements.add(uniform(name.getElement(i, Form.UNIFORM)));
			}
		}
		return elements;
	}

	static String uniform(String element) {
		return element.replace("-", "").toLowerCase(Locale.ENGLISH);
	}

}
