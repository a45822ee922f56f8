package dev.eventing.sdk.liveview.run;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.liveview.LiveView;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Tells a native image what a bean with {@link LiveView} needs: its methods to call, and
 * the classes of its states, events and deltas to bind.
 */
final class LiveViewHints implements BeanRegistrationAotProcessor {

	private static final Set<String> METHODS = Set.of("initial", "key", "keys", "apply", "delta");

	private final BindingReflectionHintsRegistrar binding = new BindingReflectionHintsRegistrar();

	@Override
	public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
		Class<?> type = ClassUtils.getUserClass(bean.getBeanClass());
		return AnnotatedElementUtils.hasAnnotation(type, LiveView.class)
				? (generation, code) -> register(generation.getRuntimeHints(), type) : null;
	}

	private void register(RuntimeHints hints, Class<?> type) {
		hints.proxies().registerJdkProxy(LiveView.class);
		hints.reflection().registerType(type);
		ReflectionUtils.doWithMethods(type, (method) -> method(hints, method),
				(method) -> METHODS.contains(method.getName()) && !method.isSynthetic());
	}

	private void method(RuntimeHints hints, Method method) {
		hints.reflection().registerMethod(method, ExecutableMode.INVOKE);
		Stream.concat(Stream.of(method.getGenericReturnType()), Arrays.stream(method.getGenericParameterTypes()))
			.forEach((each) -> bound(hints, each));
	}

	private void bound(RuntimeHints hints, Type type) {
		ResolvableType declared = ResolvableType.forType(type);
		Class<?> raw = (declared.resolve() == Event.class) ? declared.getGeneric(0).resolve() : declared.resolve();
		if (raw != null && raw != Event.class && raw != String.class && !raw.isPrimitive()) {
			bound(hints, raw);
		}
	}

	private void bound(RuntimeHints hints, Class<?> type) {
		this.binding.registerReflectionHints(hints.reflection(), type);
		if (type.isSealed()) {
			Arrays.stream(type.getPermittedSubclasses()).forEach((each) -> bound(hints, each));
		}
	}

}
