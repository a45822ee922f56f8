package dev.eventing.sdk.annotation;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;

import dev.eventing.sdk.event.Event;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.SpelParseException;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.ReflectivePropertyAccessor;

/**
 * Checks an expression for the ordering key against the class of a payload, as far as the
 * class tells. Else each event would fail.
 */
final class KeyProperties {

	private static final Getters GETTERS = new Getters();

	private KeyProperties() {
	}

	/** Why no key can be read from such payloads, with advice; null if one may be. */
	static @Nullable String problem(String key, Class<?> payload) {
		SpelNode root;
		try {
			root = ((SpelExpression) new SpelExpressionParser().parseExpression(key)).getAST();
		}
		catch (SpelParseException ex) {
			return null; // is reported where the key is set
		}
		String unknown = unknown(root, payload);
		return (unknown != null)
				? "its key '" + key + "' reads " + unknown + ". Consider a property that it has, or leaving key out."
				: null;
	}

	/** The first property that its class does not have, in words. */
	private static @Nullable String unknown(SpelNode node, Class<?> payload) {
		if (node instanceof CompoundExpression) {
			return unknownOfChain(node, payload);
		}
		if (node instanceof PropertyOrFieldReference property) {
			return unknown(property.getName(), Event.class);
		}
		if (!(node.getClass().getSimpleName().startsWith("Op") || node.getClass().getSimpleName().equals("Ternary")
				|| node.getClass().getSimpleName().equals("Elvis"))) {
			return null; // its children may be about something else
		}
		String unknown = null;
		for (int child = 0; child < node.getChildCount() && unknown == null; child++) {
			unknown = unknown(node.getChild(child), payload);
		}
		return unknown;
	}

	private static @Nullable String unknownOfChain(SpelNode chain, Class<?> payload) {
		Class<?> type = Event.class;
		for (int at = 0; at < chain.getChildCount(); at++) {
			if (!(chain.getChild(at) instanceof PropertyOrFieldReference property) || !isKnown(type, payload)) {
				return null;
			}
			String unknown = unknown(property.getName(), type);
			if (unknown != null) {
				return unknown;
			}
			boolean isPayload = type == Event.class && property.getName().equals("payload");
			type = isPayload ? payload : GETTERS.typeOf(property.getName(), type);
		}
		return null;
	}

	/** Whether all objects of a type have the same properties. */
	private static boolean isKnown(Class<?> type, Class<?> payload) {
		boolean asDeclared = type == Event.class || type == payload || Modifier.isFinal(type.getModifiers());
		return asDeclared && !type.isInterface() && !Modifier.isAbstract(type.getModifiers())
				&& !Map.class.isAssignableFrom(type) && !type.isArray();
	}

	private static @Nullable String unknown(String property, Class<?> type) {
		return GETTERS.has(property, type) ? null
				: "property '" + property + "', which " + type.getSimpleName() + " does not have";
	}

	/** Properties as expressions read them. */
	private static final class Getters extends ReflectivePropertyAccessor {

		boolean has(String name, Class<?> type) {
			return findGetterForProperty(name, type, false) != null || findField(name, type, false) != null;
		}

		Class<?> typeOf(String name, Class<?> type) {
			Method getter = findGetterForProperty(name, type, false);
			if (getter != null) {
				return getter.getReturnType();
			}
			Field field = findField(name, type, false);
			return (field != null) ? field.getType() : Object.class;
		}

	}

}
