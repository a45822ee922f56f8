package dev.eventing.sdk.projection.reconcile;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

import dev.eventing.sdk.projection.FoldedRow;
import dev.eventing.sdk.projection.Reconciliation;
import dev.eventing.sdk.projection.ReconciliationCheck;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.io.Resource;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.ReflectionUtils;

/** Makes a check of a method with {@link Reconciliation}. */
final class CheckReader {

	private static final int LONGEST_NAME = 200;

	private static final int MOST_BUCKETS = 1000;

	private static final Duration SHORTEST = Duration.ofSeconds(1);

	private final ConfigurableBeanFactory beans;

	CheckReader(ConfigurableBeanFactory beans) {
		this.beans = beans;
	}

	/**
	 * Calls the method, which returns the query or the fold.
	 * @throws IllegalArgumentException if the annotation or the method is wrong
	 */
	DeclaredCheck read(Object bean, Method method, Reconciliation annotation) {
		String name = name("name", annotation.name());
		String projector = name("projector", annotation.projector());
		ReconciliationCheck check = new ReconciliationCheck(name, projector, every(annotation));
		Object returned = returned(bean, method);
		if (returned instanceof FoldedRow<?> folded) {
			return new DeclaredCheck(check, "", folded, buckets(annotation));
		}
		String sql = sql(returned);
		return new DeclaredCheck(check, sql, null, buckets(annotation, sql));
	}

	private static int buckets(Reconciliation annotation, String sql) {
		int buckets = buckets(annotation);
		if (buckets > 1 && !sql.contains("'eventing.bucket'")) {
			throw new IllegalArgumentException("it has " + buckets + " buckets, but its query does not select the keys"
					+ " of one. Consider a condition with current_setting('eventing.bucket').");
		}
		return buckets;
	}

	private static int buckets(Reconciliation annotation) {
		int buckets = annotation.buckets();
		if (buckets < 1 || buckets > MOST_BUCKETS) {
			throw new IllegalArgumentException(
					"its buckets are %s. Consider 1 to %s.".formatted(buckets, MOST_BUCKETS));
		}
		return buckets;
	}

	private String name(String attribute, String declared) {
		String name = resolved(declared);
		if (name.isBlank() || name.length() > LONGEST_NAME) {
			throw new IllegalArgumentException(
					"its %s is '%s'. Consider a name of 1 to %s characters.".formatted(attribute, name, LONGEST_NAME));
		}
		return name;
	}

	private @Nullable Duration every(Reconciliation annotation) {
		String declared = resolved(annotation.every()).strip();
		if (declared.isEmpty()) {
			return null;
		}
		Duration every = duration(declared);
		if (every == null || every.compareTo(SHORTEST) < 0) {
			throw new IllegalArgumentException("its every is '" + declared
					+ "'. Consider a duration of one second or more, such as 10m or PT10M.");
		}
		return every;
	}

	private static @Nullable Duration duration(String text) {
		try {
			return DurationFormatterUtils.detectAndParse(text);
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

	private String resolved(String declared) {
		String resolved = this.beans.resolveEmbeddedValue(declared);
		return (resolved != null) ? resolved : "";
	}

	private static @Nullable Object returned(Object bean, Method method) {
		if (method.getParameterCount() > 0) {
			throw new IllegalArgumentException("it has parameters. Consider a method without any.");
		}
		return call(bean, method);
	}

	private static String sql(@Nullable Object returned) {
		String sql = (returned instanceof Resource resource) ? content(resource)
				: (returned instanceof String text) ? text : "";
		String query = sql.strip();
		while (query.endsWith(";")) {
			query = query.substring(0, query.length() - 1).strip();
		}
		if (query.isEmpty()) {
			throw new IllegalArgumentException(
					"it returns no query. Consider a String with the SQL, a Resource that exists, or a FoldedRow.");
		}
		return query;
	}

	private static @Nullable Object call(Object bean, Method method) {
		try {
			Method invocable = AopUtils.selectInvocableMethod(method, bean.getClass());
			ReflectionUtils.makeAccessible(invocable);
			return invocable.invoke(bean);
		}
		catch (InvocationTargetException ex) {
			throw new IllegalArgumentException("it throws " + ex.getTargetException() + ".", ex);
		}
		catch (IllegalAccessException | IllegalStateException ex) {
			throw new IllegalArgumentException("it cannot be called: " + ex.getMessage(), ex);
		}
	}

	private static String content(Resource resource) {
		try {
			return resource.getContentAsString(StandardCharsets.UTF_8);
		}
		catch (IOException | UncheckedIOException ex) {
			throw new IllegalArgumentException(
					"its " + resource.getDescription() + " cannot be read. Consider a resource that exists.", ex);
		}
	}

}
