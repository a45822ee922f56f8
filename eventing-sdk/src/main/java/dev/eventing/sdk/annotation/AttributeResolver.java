package dev.eventing.sdk.annotation;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeansException;
import org.springframework.beans.factory.config.BeanExpressionContext;
import org.springframework.beans.factory.config.BeanExpressionResolver;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;

/**
 * Resolves placeholders and then expressions in the text of an annotation attribute. It
 * does not change <code>{tenant}</code> and <code>{type}</code>, which are neither.
 */
final class AttributeResolver {

	private final ConfigurableBeanFactory beanFactory;

	AttributeResolver(ConfigurableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/** Loads what the application's classes lie beside. */
	@Nullable ClassLoader classLoader() {
		return this.beanFactory.getBeanClassLoader();
	}

	/**
	 * Returns the resolved text, without leading and trailing white space.
	 * @throws InvalidHandlerException if the text cannot be resolved; the message
	 * contains the attribute and its raw text
	 */
	String resolve(String attribute, String text) {
		String resolved = resolvePlaceholders(attribute, text);
		if (!resolved.contains("#{")) {
			return resolved.strip();
		}
		Object value = evaluate(attribute, text, resolved);
		// For any other object, toString() would rarely give the intended text.
		if (value instanceof CharSequence || value instanceof Number || value instanceof Enum) {
			return value.toString().strip();
		}
		throw invalid(attribute, text,
				"resolves to " + ((value != null) ? "a " + value.getClass().getName() : "null") + ", not a text", null);
	}

	private String resolvePlaceholders(String attribute, String text) {
		String resolved;
		try {
			resolved = this.beanFactory.resolveEmbeddedValue(text);
		}
		catch (IllegalArgumentException ex) {
			throw invalid(attribute, text, "cannot be resolved", ex);
		}
		// A context without a placeholder configurer does not change unknown
		// placeholders.
		if (resolved == null || resolved.contains("${")) {
			throw invalid(attribute, text, "has a placeholder without a value", null);
		}
		return resolved;
	}

	private @Nullable Object evaluate(String attribute, String text, String resolved) {
		BeanExpressionResolver expressions = this.beanFactory.getBeanExpressionResolver();
		try {
			return (expressions != null)
					? expressions.evaluate(resolved, new BeanExpressionContext(this.beanFactory, null)) : resolved;
		}
		catch (BeansException ex) {
			throw invalid(attribute, text, "cannot be evaluated", ex);
		}
	}

	private static InvalidHandlerException invalid(String attribute, String text, String problem,
			@Nullable Exception cause) {
		return new InvalidHandlerException(
				"%s = \"%s\" %s%s".formatted(attribute, text, problem,
						(cause != null) ? " (" + rootMessage(cause) + ")" : ""),
				"defining the property, adding a default as in ${name:default}, or correcting the expression");
	}

	private static @Nullable String rootMessage(Throwable failure) {
		Throwable root = failure;
		while (root.getCause() != null) {
			root = root.getCause();
		}
		return root.getMessage();
	}

}
