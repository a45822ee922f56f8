package dev.eventing.sdk.annotation;

import java.lang.reflect.Type;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

import dev.eventing.sdk.event.EventType;
import dev.eventing.sdk.projector.HandlerMethod;

import org.springframework.core.ResolvableType;

/**
 * Finds handlers of different projectors that take one event type as different classes.
 * Each would take the events of the other's class. Two versions of one projector may take
 * a type as different classes, and so may two projectors if an annotation gives both
 * classes the type.
 */
final class TypeConflicts {

	private final Problems problems;

	TypeConflicts(Problems problems) {
		this.problems = problems;
	}

	void check(List<HandlerDeclaration> handlers) {
		Map<String, HandlerDeclaration> byType = new HashMap<>();
		handlers.stream()
			.sorted(Comparator.comparing(HandlerDeclaration::where))
			.forEach((handler) -> check(handler, byType));
	}

	private void check(HandlerDeclaration handler, Map<String, HandlerDeclaration> byType) {
		for (String name : new TreeSet<>(handler.method().payloadTypes().keySet())) {
			HandlerDeclaration first = byType.putIfAbsent(name, handler);
			if (first != null && !name.equals(HandlerMethod.ANY_TYPE)
					&& !first.projector().equals(handler.projector())) {
				check(name, first, handler);
			}
		}
	}

	private void check(String name, HandlerDeclaration first, HandlerDeclaration other) {
		Type one = first.method().payloadType(name);
		Type another = other.method().payloadType(name);
		if (one.equals(another) || areNamed(one, another)) {
			return;
		}
		this.problems.add(first.where() + " and " + other.where(),
				"they take event type '" + name + "' as '" + one.getTypeName() + "' and as '" + another.getTypeName()
						+ "', so each takes the events of the other. Consider " + remedy(one, another) + ".");
	}

	/** An annotation gives the type to each of two classes. */
	private static boolean areNamed(Type one, Type another) {
		return raw(one) != raw(another) && raw(one).isAnnotationPresent(EventType.class)
				&& raw(another).isAnnotationPresent(EventType.class);
	}

	private static String remedy(Type one, Type another) {
		return (raw(one) == raw(another))
				? "a class of its own for each in place of type arguments, which no event has, with @EventType if need be"
				: "@EventType with another name on one of them";
	}

	private static Class<?> raw(Type type) {
		return ResolvableType.forType(type).toClass();
	}

}
