package dev.eventing.sdk.annotation;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeansException;
import org.springframework.beans.factory.config.BeanExpressionContext;
import org.springframework.beans.factory.config.BeanExpressionResolver;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;

/**
 * Resolves placeholders, then expressions, in the text of an annotation's attribute.
 * <code>{tenant}</code> is neither and stays.
 */
final class AttributeResolver {

	private final ConfigurableBeanFactory beanFactory;

	AttributeResolver(ConfigurableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * The text with everything resolved, without white space around it.
	 * @throws InvalidHandlerException naming the attribute and its raw text
	 */
	String resolve(String attribute, String text) {
		String resolved = resolvePlaceholders(attribute, text);
		if (!resolved.contains("#{")) {
			return resolved.strip();
		}
		Object value = evaluate(attribute, text, resolved);
		// The text of any other object would be an accident, such as Object.toString().
		if (value instanceof CharSequence || value instanceof Number || value instanceof Enum) {
			return value.toString().strip();
		}
		throw invalid(attribute, text,
				"gives " + ((value != null) ? "a " + value.getClass().getName() : "null") + ", not a text", null);
	}

	private String resolvePlaceholders(String attribute, String text) {
		String resolved;
		try {
			resolved = this.beanFactory.resolveEmbeddedValue(text);
		}
		catch (IllegalArgumentException ex) {
			throw invalid(attribute, text, "cannot be resolved", ex);
		}
		// A context without a placeholder configurer leaves unknown ones as they are.
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
				"defining the property it names, giving it a default as in ${name:default}, or mending the expression");
	}

	private static @Nullable String rootMessage(Throwable failure) {
		Throwable root = failure;
		while (root.getCause() != null) {
			root = root.getCause();
		}
		return root.getMessage();
	}

}
