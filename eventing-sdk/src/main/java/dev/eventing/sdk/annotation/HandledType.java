package dev.eventing.sdk.annotation;

import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;

import dev.eventing.sdk.event.EventTypes;
import dev.eventing.sdk.projector.HandlerMethod;
import tools.jackson.databind.JsonNode;

import org.springframework.core.ResolvableType;

/**
 * Which events a handler takes.
 *
 * @param payloadType what the payload is bound to
 * @param eventType the name on the wire, or {@link HandlerMethod#ANY_TYPE}
 */
record HandledType(Type payloadType, String eventType) {

	/**
	 * Derives it from the payload's type and the {@code eventType} attribute.
	 * @param payload the type the handler's parameter declares
	 * @param said the attribute, {@code Void.class} if nothing is said
	 * @throws InvalidHandlerException if they name no event type
	 */
	static HandledType of(Type payload, Class<?> said) {
		Type declared = (payload instanceof WildcardType wildcard) ? wildcard.getUpperBounds()[0] : payload;
		ResolvableType resolvable = ResolvableType.forType(declared);
		Class<?> raw = resolvable.resolve();
		if (raw == null || resolvable.hasUnresolvableGenerics()) {
			throw new InvalidHandlerException("its payload " + shortName(declared) + " is of no definite type",
					"a class in place of the type variable");
		}
		if (said != Void.class) {
			return ofSaid(said, declared, raw);
		}
		if (JsonNode.class.isAssignableFrom(raw)) {
			return new HandledType(declared, HandlerMethod.ANY_TYPE);
		}
		return new HandledType(declared, nameOf(raw));
	}

	private static HandledType ofSaid(Class<?> said, Type declared, Class<?> raw) {
		if (!raw.isAssignableFrom(said)) {
			throw new InvalidHandlerException(
					"eventType = " + said.getSimpleName() + ".class cannot be handed to its parameter of type "
							+ shortName(declared),
					"a parameter of type " + said.getSimpleName() + ", or removing eventType");
		}
		// The declared type may say more than the class: Changed<Order>, not Changed.
		return new HandledType((said == raw) ? declared : said, nameOf(said));
	}

	private static String nameOf(Class<?> type) {
		if (type.isPrimitive() || type.isArray() || type.getName().startsWith("java.")) {
			throw new InvalidHandlerException("its payload " + type.getSimpleName() + " names no event type",
					"a class of your own, eventType, or JsonNode to take every event no other handler takes");
		}
		String name = EventTypes.nameOf(type);
		if (name.isBlank() || name.equals(HandlerMethod.ANY_TYPE)) {
			throw new InvalidHandlerException("event type '" + name + "' of " + type.getName() + " is no name",
					"@EventType with a name such as \"order.placed\"");
		}
		return name;
	}

	/** A type as one would write it, without packages and enclosing classes. */
	static String shortName(Type type) {
		return type.getTypeName().replaceAll("[\\w$.]*[.$](\\w)", "$1");
	}

}
