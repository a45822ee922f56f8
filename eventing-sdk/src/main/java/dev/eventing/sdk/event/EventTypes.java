package dev.eventing.sdk.event;

/** The names that classes of events have on the wire. */
public final class EventTypes {

	private EventTypes() {
	}

	/** What {@link EventType} says, else the simple name of the class. */
	public static String nameOf(Class<?> type) {
		EventType named = type.getAnnotation(EventType.class);
		return (named != null) ? named.value() : type.getSimpleName();
	}

}
