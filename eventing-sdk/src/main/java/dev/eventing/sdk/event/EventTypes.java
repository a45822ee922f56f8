package dev.eventing.sdk.event;

/** The names that classes of events have on the wire. */
public final class EventTypes {

	private EventTypes() {
	}

	/**
	 * What {@link EventType} says, else the simple name of the class.
	 * @throws InvalidEventException if that is blank, as it is for an anonymous class
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
