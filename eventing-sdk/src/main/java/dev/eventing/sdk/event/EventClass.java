package dev.eventing.sdk.event;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a class is as an event's type.
 *
 * @param type the class
 * @param names its names on the wire: first the one that is written, then the aliases.
 * Empty if it is no event's class.
 * @param version the version of the type; 0 if it is no event's class
 */
record EventClass(Class<?> type, List<String> names, int version) {

	private static final ClassValue<EventClass> KNOWN = new ClassValue<>() {

		@Override
		protected EventClass computeValue(Class<?> type) {
			return read(type);
		}

	};

	/**
	 * What this class is.
	 * @throws InvalidEventException if its annotation is not valid
	 */
	static EventClass of(Class<?> type) {
		return KNOWN.get(type);
	}

	/** As {@link #of(Class)}, for a class with type arguments too. */
	static EventClass of(Type type) {
		if (type instanceof Class<?> plain) {
			return of(plain);
		}
		return (type instanceof ParameterizedType generic && generic.getRawType() instanceof Class<?> raw) ? of(raw)
				: of(Object.class);
	}

	/**
	 * Checks the version of an event.
	 * @throws InvalidEventException if it is below 1
	 */
	static void requireVersion(int typeVersion) {
		if (typeVersion < 1) {
			throw new InvalidEventException(
					"The version " + typeVersion + " of an event's type is below 1. Consider a version from 1 on.");
		}
	}

	private static EventClass read(Class<?> type) {
		EventType said = type.getAnnotation(EventType.class);
		if (said == null) {
			String name = type.getSimpleName();
			boolean own = !name.isBlank() && !type.isPrimitive() && !type.isArray() && !isOfLibraries(type.getName());
			return new EventClass(type, own ? List.of(name) : List.of(), own ? 1 : 0);
		}
		if (said.version() < 1) {
			throw new InvalidEventException("'" + type.getName() + "' has version " + said.version()
					+ " in @EventType. Consider a version from 1 on.");
		}
		List<String> names = new ArrayList<>(List.of(said.value()));
		names.addAll(Arrays.asList(said.aliases()));
		if (names.stream().anyMatch(String::isBlank) || names.stream().distinct().count() < names.size()) {
			throw new InvalidEventException("'" + type.getName() + "' has the names " + names
					+ " in @EventType, of which one is blank or stands twice. Consider a name for each.");
		}
		return new EventClass(type, List.copyOf(names), said.version());
	}

	private static boolean isOfLibraries(String name) {
		return name.startsWith("java.") || name.startsWith("tools.jackson.");
	}

	/** Whether events of this type are of this class. */
	boolean isOf(String eventType) {
		return this.names.contains(eventType);
	}

}
