package dev.eventing.sdk.annotation;

import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.Map;

import dev.eventing.sdk.projector.HandlerMethod;
import tools.jackson.databind.JsonNode;

import org.springframework.core.ResolvableType;

/**
 * The events that a handler takes.
 *
 * @param payloadTypes the Java type of the payload, by the event type on the wire or
 * {@link HandlerMethod#ANY_TYPE}
 */
record HandledType(Map<String, Type> payloadTypes) {

	/**
	 * Derives the event types from the payload's type and the {@code eventType}
	 * attribute.
	 * @param payload the payload type that the handler's parameter declares
	 * @param said the attribute, {@code Void.class} if it is not set
	 * @throws InvalidHandlerException if these determine no event type
	 */
	static HandledType of(Type payload, Class<?> said) {
		Type declared = (payload instanceof WildcardType wildcard) ? wildcard.getUpperBounds()[0] : payload;
		ResolvableType resolvable = ResolvableType.forType(declared);
		Class<?> raw = resolvable.resolve();
		if (raw == null || resolvable.hasUnresolvableGenerics()) {
			throw new InvalidHandlerException(
					"its payload " + InvalidHandlerException.shortName(declared) + " is not a definite type",
					"a class in place of the type variable");
		}
		if (said != Void.class) {
			return ofSaid(said, declared, raw);
		}
		if (JsonNode.class.isAssignableFrom(raw)) {
			return new HandledType(Map.of(HandlerMethod.ANY_TYPE, declared));
		}
		return new HandledType(EventClasses.of(raw, declared));
	}

	private static HandledType ofSaid(Class<?> said, Type declared, Class<?> raw) {
		if (!raw.isAssignableFrom(said)) {
			throw new InvalidHandlerException(
					"eventType = " + said.getSimpleName() + ".class cannot be passed to its parameter of type "
							+ InvalidHandlerException.shortName(declared),
					"a parameter of type " + said.getSimpleName() + ", or removing eventType");
		}
		// The declared type may have type arguments that the class lacks: Changed<Order>.
		return new HandledType(EventClasses.of(said, (said == raw) ? declared : said));
	}

}
