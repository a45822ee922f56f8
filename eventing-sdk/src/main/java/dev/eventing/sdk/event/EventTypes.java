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
		EventType named = type.getAnnotation(EventType.class);
		String name = (named != null) ? named.value() : type.getSimpleName();
		if (name.isBlank()) {
			throw new InvalidEventException("Class '" + type.getName()
					+ "' has no name as an event. Consider @EventType(\"order.placed\"), or a named class.");
		}
		return name;
	}

}
