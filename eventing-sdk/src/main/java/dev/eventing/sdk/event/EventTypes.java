package dev.eventing.sdk.event;

/** The names of event classes on the wire. */
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

	static String nameOrBlank(Class<?> type) {
		EventType named = type.getAnnotation(EventType.class);
		return (named != null) ? named.value() : type.getSimpleName();
	}

	/** Whether {@link EventType} gives the class its name. */
	static boolean isNamed(Class<?> type) {
		return type.isAnnotationPresent(EventType.class);
	}

}
