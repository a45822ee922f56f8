package dev.eventing.sdk.autoconfigure;

import java.lang.reflect.RecordComponent;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.eventing.sdk.projector.ProjectorSettings;
import dev.eventing.sdk.projector.ProjectorSettingsSource;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.Environment;
import org.springframework.util.ReflectionUtils;

/**
 * Reads {@code eventing.projector.defaults.*} and {@code eventing.projectors.<name>.*}.
 * The name need not be written as in the code: {@code user-projector},
 * {@code UserProjector} and {@code USERPROJECTOR} in an environment variable are the
 * same, as in all of Boot's properties.
 */
final class PropertiesProjectorSettings implements ProjectorSettingsSource {

	private final ProjectorSettings defaults;

	private final Map<String, ProjectorSettings> projectors;

	private final Set<String> unused;

	/** The projectors that have asked, by the names in the properties. */
	private final Map<String, String> asked = new ConcurrentHashMap<>();

	PropertiesProjectorSettings(EventingProperties properties, Environment environment) {
		this.defaults = checked("eventing.projector.defaults", properties.projector().defaults());
		this.projectors = NameSpellings.once("eventing.projectors", properties.projectors(), environment);
		this.unused = ConcurrentHashMap.newKeySet();
		this.unused.addAll(this.projectors.keySet());
	}

	@Override
	public ProjectorSettings defaults() {
		return this.defaults;
	}

	@Override
	public ProjectorSettings forProjector(String name) {
		String property = propertyNameOf(name);
		if (property == null) {
			return ProjectorSettings.NONE;
		}
		String other = this.asked.putIfAbsent(property, name);
		if (other != null && !other.equals(name)) {
			throw NameSpellings.refused("eventing.projectors", other, name);
		}
		this.unused.remove(property);
		ProjectorSettings settings = Objects.requireNonNull(this.projectors.get(property));
		return checked("eventing.projectors." + property, settings);
	}

	/** The names of projectors in properties that were never requested. */
	Set<String> unused() {
		return Set.copyOf(this.unused);
	}

	/** The name as written in the properties, or null if they do not contain it. */
	private @Nullable String propertyNameOf(String name) {
		String uniform = NameSpellings.uniform(name);
		return this.projectors.keySet()
			.stream()
			.filter((each) -> NameSpellings.uniform(each).equals(uniform))
			.findFirst()
			.orElse(null);
	}

	/**
	 * Returns the settings if each class in them is an exception. The binder does not
	 * check that.
	 */
	private static <R extends Record> R checked(String prefix, R settings) {
		for (RecordComponent component : settings.getClass().getRecordComponents()) {
			String property = prefix + "." + DataObjectPropertyName.toDashedForm(component.getName());
			Object value = ReflectionUtils.invokeMethod(component.getAccessor(), settings);
			if (value instanceof Record nested) {
				checked(property, nested);
			}
			else if (value instanceof Set<?> values) {
				values.forEach((each) -> check(property, each));
			}
		}
		return settings;
	}

	private static void check(String property, Object value) {
		if (value instanceof Class<?> type && !Throwable.class.isAssignableFrom(type)) {
			throw new InvalidConfigurationPropertyValueException(property, type.getName(),
					"It is not an exception, so no handler can throw it.");
		}
	}

}
