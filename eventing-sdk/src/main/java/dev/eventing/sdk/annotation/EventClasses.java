package dev.eventing.sdk.annotation;

import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.eventing.sdk.event.EventType;
import dev.eventing.sdk.event.EventTypes;
import dev.eventing.sdk.projector.HandlerMethod;

/**
 * The event classes of a handler's type, by their names and aliases on the wire: the
 * class itself, or all classes that a sealed type permits. Not thread-safe.
 */
final class EventClasses {

	private final Map<String, Type> byName = new LinkedHashMap<>();

	private EventClasses() {
	}

	/**
	 * Finds the event classes.
	 * @param type the class that the handler takes
	 * @param declared the same type as the handler declares it, which may have type
	 * arguments
	 * @throws InvalidHandlerException if no event can have the type, or two of its
	 * classes have the same name
	 */
	static Map<String, Type> of(Class<?> type, Type declared) {
		EventClasses classes = new EventClasses();
		classes.add(type, declared);
		return Map.copyOf(classes.byName);
	}

	private void add(Class<?> type, Type payload) {
		if (isOfThePlatform(type)) {
			throw new InvalidHandlerException("its payload " + type.getSimpleName() + " is not an event type",
					"a class of your own, eventType, or JsonNode to take every event that no other handler takes");
		}
		boolean sealed = type.isSealed() && !type.isEnum();
		boolean named = type.isAnnotationPresent(EventType.class);
		if (named || isConcrete(type)) {
			namesOf(type).forEach((name) -> put(name, payload));
		}
		else if (!sealed) {
			throw new InvalidHandlerException(
					"its payload " + type.getSimpleName() + " is abstract and not sealed, so no event has that type",
					"making it sealed to take all classes it permits, the class of one event, eventType, or @EventType on "
							+ type.getSimpleName() + " if JSON of that type can be bound to it");
		}
		if (sealed) {
			for (Class<?> permitted : type.getPermittedSubclasses()) {
				addPermitted(permitted);
			}
		}
	}

	private void addPermitted(Class<?> type) {
		if (type.getTypeParameters().length > 0) {
			throw new InvalidHandlerException(
					"its payload may be a " + type.getSimpleName() + ", which is not a definite type",
					"a separate handler for " + type.getSimpleName() + ", with its type argument");
		}
		add(type, type);
	}

	/**
	 * An enum is concrete even if its constants have bodies. Its class is then abstract.
	 */
	private static boolean isConcrete(Class<?> type) {
		return type.isEnum() || !Modifier.isAbstract(type.getModifiers());
	}

	private void put(String name, Type payload) {
		Type other = this.byName.putIfAbsent(name, payload);
		if (other != null && !other.equals(payload)) {
			throw new InvalidHandlerException("its payload may be a " + InvalidHandlerException.shortName(other)
					+ " or a " + InvalidHandlerException.shortName(payload) + ", which both have the event type '"
					+ name + "'", "@EventType on one of them");
		}
	}

	private static List<String> namesOf(Class<?> type) {
		List<String> names = EventTypes.namesOf(type);
		for (String name : names) {
			if (name.isBlank() || name.equals(HandlerMethod.ANY_TYPE)) {
				throw new InvalidHandlerException(
						"event type '" + name + "' of " + type.getName() + " is not a valid name",
						"@EventType with a name such as \"order.placed\"");
			}
		}
		return names;
	}

	private static boolean isOfThePlatform(Class<?> type) {
		return type.isPrimitive() || type.isArray() || type.getName().startsWith("java.");
	}

}
