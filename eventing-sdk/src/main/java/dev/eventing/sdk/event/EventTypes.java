package dev.eventing.sdk.event;

import java.util.List;
import java.util.Map;

/** The names and the versions of event classes on the wire. */
public final class EventTypes {

	private EventTypes() {
	}

	/**
	 * The name in {@link EventType}, else the simple name of the class.
	 * @throws InvalidEventException if the name is blank, such as that of an anonymous
	 * class
	 */
	public static String nameOf(Class<?> type) {
		String name = nameOrBlank(type);
		if (name.isBlank()) {
			throw new InvalidEventException("Class '" + type.getName()
					+ "' has no name as an event. Consider @EventType(\"order.placed\"), or a named class.");
		}
		return name;
	}

	/**
	 * The name that {@link #nameOf} gives to the class of a payload.
	 * @throws InvalidEventException also if the payload is a value of the JDK, such as a
	 * text or a number: its class does not tell what happened
	 */
	public static String nameOfPayload(Object payload) {
		Class<?> type = payload.getClass();
		if (type.isArray() || (type.getPackageName().startsWith("java.") && !(payload instanceof Map))) {
			throw new InvalidEventException("'" + type.getTypeName()
					+ "' is no class of events, so it gives no type to one. Consider a record with the value, such as"
					+ " record OrderPlaced(String orderId), which may have more fields later.");
		}
		return nameOf(type);
	}

	/**
	 * The name that {@link #nameOf} gives, and then the aliases in {@link EventType}.
	 * @throws InvalidEventException if one is blank or stands twice, or the version is
	 * below 1
	 */
	public static List<String> namesOf(Class<?> type) {
		String name = nameOf(type);
		EventClass known = EventClass.of(type);
		return known.names().isEmpty() ? List.of(name) : known.names();
	}

	/**
	 * The version in {@link EventType}, else 1.
	 * @throws InvalidEventException as {@link #namesOf}
	 */
	public static int versionOf(Class<?> type) {
		return Math.max(1, EventClass.of(type).version());
	}

	static String nameOrBlank(Class<?> type) {
		EventType named = type.getAnnotation(EventType.class);
		return (named != null) ? named.value() : type.getSimpleName();
	}

	/** Whether {@link EventType} gives the class its name. */
	static boolean isNamed(Class<?> type) {
		return type.isAnnotationPresent(EventType.class);
	}

}
