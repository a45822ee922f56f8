package dev.eventing.sdk.event;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

/**
 * The classes of the events of one application, by the names of their types. It writes
 * the events of a type from one class, and the handlers of the type take that class.
 * Thread-safe.
 */
final class EventClasses {

	/** The class of which events of a type were written. */
	private final Map<String, Class<?>> written = new ConcurrentHashMap<>();

	/** The classes that handlers take, for their type. */
	private final Map<String, Set<Class<?>>> handled = new ConcurrentHashMap<>();

	/** Adds a class that a handler takes for events of this type. */
	void handle(String type, Class<?> taken) {
		this.handled.computeIfAbsent(type, (key) -> ConcurrentHashMap.newKeySet()).add(taken);
	}

	/**
	 * Checks the class of an event that is about to be written. A type that the event was
	 * given otherwise than by its class is not checked.
	 * @throws InvalidEventException if another class has the type
	 */
	void requireOne(String type, Object payload) {
		Class<?> own = payload.getClass();
		if (this.written.get(type) == own || !type.equals(EventTypes.nameOrBlank(own))) {
			return;
		}
		Class<?> other = otherHandled(type, own);
		if (other == null) {
			other = this.written.putIfAbsent(type, own);
		}
		if (other != null && other != own) {
			throw new InvalidEventException("'" + other.getName() + "' and '" + own.getName()
					+ "' both have the event type " + Quoted.of(type)
					+ ", so handlers would take events of the one for those of the other. Consider @EventType with another"
					+ " name on one of them.");
		}
	}

	/**
	 * A class that handlers take in place of this one, or null. Both may have the type if
	 * an annotation gives it to each: handlers may read events into a class of their own.
	 */
	private @Nullable Class<?> otherHandled(String type, Class<?> own) {
		Set<Class<?>> taken = this.handled.getOrDefault(type, Set.of());
		if (taken.contains(own)) {
			return null;
		}
		return taken.stream()
			.filter((other) -> !EventTypes.isNamed(own) || !EventTypes.isNamed(other))
			.findFirst()
			.orElse(null);
	}

}
