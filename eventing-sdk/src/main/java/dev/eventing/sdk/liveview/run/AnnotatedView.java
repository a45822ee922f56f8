package dev.eventing.sdk.liveview.run;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.liveview.InvalidLiveViewException;
import dev.eventing.sdk.liveview.LiveView;
import dev.eventing.sdk.liveview.LiveViewDefinition;
import org.jspecify.annotations.Nullable;

import org.springframework.core.GenericTypeResolver;
import org.springframework.util.ReflectionUtils;

/**
 * Makes the definition of a bean with {@link LiveView}, by its methods {@code initial},
 * {@code key} or {@code keys}, {@code apply} and {@code delta}.
 */
final class AnnotatedView {

	private static final String KEYS = "keys";

	private final Object bean;

	private final Class<?> type;

	private final LiveView view;

	private final UnaryOperator<String> placeholders;

	/**
	 * For a bean.
	 * @param type the class with the methods, behind any proxy
	 * @param placeholders replaces placeholders in texts of the annotation
	 */
	AnnotatedView(Object bean, Class<?> type, LiveView view, UnaryOperator<String> placeholders) {
		this.bean = bean;
		this.type = type;
		this.view = view;
		this.placeholders = placeholders;
	}

	/**
	 * Returns the definition.
	 * @throws InvalidLiveViewException if the bean does not have the methods of a view
	 */
	LiveViewDefinition<?> definition() {
		Method initial = only("initial", 0);
		Type state = GenericTypeResolver.resolveType(initial.getGenericReturnType(), this.type);
		if (!(state instanceof Class<?> stateType) || stateType == void.class) {
			throw invalid("its method initial returns " + state.getTypeName() + ", which has type arguments or is none",
					"a class or a record of its own");
		}
		return definition(stateType, initial);
	}

	private <S> LiveViewDefinition<S> definition(Class<S> stateType, Method initial) {
		LiveViewDefinition.Builder<S> builder = LiveViewDefinition
			.of(resolved(this.view.value()), stateType, () -> stateType.cast(call(initial)))
			.subject(Arrays.stream(this.view.subject()).map(this::resolved).toArray(String[]::new))
			.version(this.view.version())
			.event(resolved(this.view.event()));
		for (Method apply : applies(stateType)) {
			fold(builder, stateType, apply);
		}
		List<Method> deltas = methods("delta", 3);
		if (!deltas.isEmpty()) {
			Method delta = only("delta", 3);
			builder.deltas((before, after, event) -> Objects
				.requireNonNull(call(delta, before, after, argument(delta, 2, event)), "the view's delta is null"));
		}
		settings(builder);
		return builder.build();
	}

	private void settings(LiveViewDefinition.Builder<?> builder) {
		if (this.view.maxStateBytes() != LiveView.UNSET) {
			builder.maxStateBytes(this.view.maxStateBytes());
		}
		String stream = resolved(this.view.stream());
		if (!stream.isEmpty()) {
			builder.stream(stream);
		}
		builder.settings((settings) -> settings.source(this.view.source())
			.concurrency((this.view.concurrency() != LiveView.UNSET) ? this.view.concurrency() : null)
			.batchSize((this.view.batchSize() != LiveView.UNSET) ? this.view.batchSize() : null));
	}

	private List<Method> applies(Class<?> stateType) {
		List<Method> applies = new ArrayList<>(methods("apply", 2));
		applies.addAll(methods("apply", 3));
		if (applies.isEmpty()) {
			throw invalid("it has no method apply",
					stateType.getSimpleName() + " apply(" + stateType.getSimpleName() + " state, E event)");
		}
		for (Method apply : applies) {
			if (apply.getParameterTypes()[0] != stateType || !stateType.isAssignableFrom(apply.getReturnType())) {
				throw invalid(
						"its method " + apply.getName() + " takes or returns something else than "
								+ stateType.getSimpleName() + ", which initial returns",
						"the same class in all of them");
			}
			if (apply.getParameterCount() > 2 && apply.getParameterTypes()[2] != String.class) {
				throw invalid("the third parameter of its method apply is no String", "String key");
			}
		}
		return applies;
	}

	@SuppressWarnings("NullAway") // ViewFold refuses a state that is null
	private <S> void fold(LiveViewDefinition.Builder<S> builder, Class<S> stateType, Method apply) {
		Class<?> payload = payload(apply, 1);
		Method keys = keys(payload);
		if (keys.getName().equals(KEYS)) {
			builder.onEventKeys(payload, (event) -> strings(keys, event),
					(state, event, key) -> stateType.cast(applied(apply, state, event, key)));
		}
		else {
			builder.onEvent(payload, (event) -> (String) call(keys, argument(keys, 0, event)), (state,
					event) -> stateType.cast(applied(apply, state, event, call(keys, argument(keys, 0, event)))));
		}
	}

	private @Nullable Object applied(Method apply, Object state, Event<?> event, @Nullable Object key) {
		Object argument = argument(apply, 1, event);
		return (apply.getParameterCount() > 2) ? call(apply, state, argument, key) : call(apply, state, argument);
	}

	/** Fails for a key that is no text. */
	private @Nullable Collection<String> strings(Method keys, Event<?> event) {
		Collection<?> returned = (Collection<?>) call(keys, argument(keys, 0, event));
		return (returned != null) ? returned.stream().map(String.class::cast).toList() : null;
	}

	/**
	 * The method key or keys of the class itself, or of the nearest one above it.
	 */
	private Method keys(Class<?> payload) {
		List<Method> all = new ArrayList<>(methods("key", 1));
		all.addAll(methods(KEYS, 1));
		List<Method> nearest = nearest(payload, all);
		if (nearest.stream().map(Method::getName).distinct().count() > 1) {
			throw invalid("it has a method key and a method keys for " + payload.getSimpleName(), "one of them");
		}
		return nearest.stream()
			.filter((method) -> method.getName().equals(KEYS)
					? Collection.class.isAssignableFrom(method.getReturnType())
					: method.getReturnType() == String.class)
			.findFirst()
			.orElseThrow(() -> invalid("it has no method key for " + payload.getSimpleName(),
					"String key(" + payload.getSimpleName() + " event)"));
	}

	private List<Method> nearest(Class<?> payload, List<Method> all) {
		List<Method> taking = all.stream().filter((method) -> payload(method, 0).isAssignableFrom(payload)).toList();
		int least = taking.stream().mapToInt((method) -> distance(payload, payload(method, 0))).min().orElse(0);
		return taking.stream().filter((method) -> distance(payload, payload(method, 0)) == least).toList();
	}

	private static int distance(Class<?> payload, Class<?> above) {
		int distance = 0;
		for (Class<?> each = payload; each != null && each != above; each = each.getSuperclass()) {
			distance++;
		}
		return distance;
	}

	/** The class of the payload that a method takes, as such or in its event. */
	private Class<?> payload(Method method, int parameter) {
		Type declared = GenericTypeResolver.resolveType(method.getGenericParameterTypes()[parameter], this.type);
		Type payload = (declared instanceof ParameterizedType event && event.getRawType() == Event.class)
				? event.getActualTypeArguments()[0] : declared;
		if (payload instanceof Class<?> known && known != Event.class) {
			return known;
		}
		throw invalid("its method " + method.getName() + " takes " + declared.getTypeName()
				+ ", which is no definite class of an event", "a class, or an Event of a class");
	}

	private static Object argument(Method method, int parameter, Event<?> event) {
		return (method.getParameterTypes()[parameter] == Event.class) ? event : event.payload();
	}

	private Method only(String name, int parameters) {
		List<Method> found = methods(name, parameters);
		if (found.size() != 1) {
			throw invalid("it has " + found.size() + " methods " + name + " with " + parameters + " parameters",
					"one of them");
		}
		return found.get(0);
	}

	private List<Method> methods(String name, int parameters) {
		List<Method> found = new ArrayList<>();
		ReflectionUtils.doWithMethods(this.type, (method) -> {
			ReflectionUtils.makeAccessible(method);
			found.add(method);
		}, (method) -> method.getName().equals(name) && method.getParameterCount() == parameters
				&& method.getDeclaringClass() != Object.class && !Modifier.isStatic(method.getModifiers())
				&& !method.isBridge() && !method.isSynthetic()
				&& found.stream().noneMatch((other) -> overrides(other, method)));
		return found;
	}

	private static boolean overrides(Method found, Method above) {
		return Arrays.equals(found.getParameterTypes(), above.getParameterTypes());
	}

	private String resolved(String text) {
		return this.placeholders.apply(text).strip();
	}

	private @Nullable Object call(Method method, @Nullable Object... arguments) {
		try {
			return method.invoke(this.bean, arguments);
		}
		catch (InvocationTargetException ex) {
			throw AnnotatedView.<RuntimeException>rethrown(Objects.requireNonNull(ex.getTargetException()));
		}
		catch (IllegalAccessException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** The exception of the view's code decides whether the event is retried. */
	@SuppressWarnings("unchecked")
	private static <T extends Throwable> RuntimeException rethrown(Throwable thrown) throws T {
		throw (T) thrown;
	}

	private InvalidLiveViewException invalid(String problem, String remedy) {
		return new InvalidLiveViewException("@LiveView(\"" + this.view.value() + "\") " + this.type.getName() + ": "
				+ problem + ". Consider " + remedy + ".");
	}

}
