package dev.eventing.sdk.annotation;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.eventing.sdk.projector.ProjectorSettings;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.unit.DataSize;

/** Reads the attributes of a handler that apply to its whole projector. */
final class DeclaredAttributes {

	private static final Set<String> OF_THE_HANDLER = Set.of("subject", "projectorName", "eventType");

	private final AttributeResolver resolver;

	DeclaredAttributes(AttributeResolver resolver) {
		this.resolver = resolver;
	}

	/**
	 * Returns the attributes that the annotation sets, by name, in a form for comparison
	 * and messages.
	 */
	Map<String, Object> said(MergedAnnotation<ProjectorEventHandler> annotation) {
		Map<String, Object> all = new TreeMap<>();
		annotation.filterDefaultValues().asMap().forEach((name, value) -> {
			Object said = OF_THE_HANDLER.contains(name) ? "" : comparable(name, value);
			if (!said.equals("")) {
				all.put(name, said);
			}
		});
		return all;
	}

	private Object comparable(String name, Object value) {
		if (value instanceof String text) {
			return this.resolver.resolve(name, text);
		}
		if (value instanceof Class<?>[] types) {
			return Arrays.stream(types).map(Class::getName).collect(TreeSet::new, TreeSet::add, TreeSet::addAll);
		}
		return value;
	}

	/**
	 * Returns the same attributes as settings, each as the setting of its name. An
	 * attribute with its default value sets nothing.
	 */
	ProjectorSettings settings(MergedAnnotation<ProjectorEventHandler> annotation) {
		Map<String, Object> set = annotation.filterDefaultValues().asMap();
		return ProjectorSettings.of((name, type) -> value(name, type, set.get(name)));
	}

	/** Numbers are milliseconds or bytes where the setting has a unit. */
	private @Nullable Object value(String name, Class<?> type, @Nullable Object attribute) {
		if (attribute instanceof Class<?>[] types) {
			return Set.copyOf(Arrays.asList(types));
		}
		if (attribute instanceof Number number && type == Duration.class) {
			return Duration.ofMillis(number.longValue());
		}
		if (attribute instanceof Number number && type == DataSize.class) {
			return DataSize.ofBytes(number.longValue());
		}
		return (attribute instanceof String text) ? expression(name, text) : attribute;
	}

	/** The only setting with a text is an expression. */
	private @Nullable String expression(String name, String text) {
		String expression = this.resolver.resolve(name, text);
		if (expression.isEmpty()) {
			return null;
		}
		try {
			new SpelExpressionParser().parseExpression(expression);
			return expression;
		}
		catch (ParseException ex) {
			throw new InvalidHandlerException(
					name + " = \"" + text + "\" is not a valid expression (" + ex.getSimpleMessage() + ")",
					"an expression over the event such as \"payload.customerId\"");
		}
	}

}
