package dev.eventing.sdk.annotation;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.core.io.Resource;
import org.springframework.util.ClassUtils;

/**
 * Tells a native image what a bean with handlers needs: its methods to call, the classes
 * of its payloads to bind, and the script of its tables. Reports no problems: the start
 * of the application does.
 */
final class HandlerHints implements BeanRegistrationAotProcessor {

	private final HandlerFinder finder = new HandlerFinder();

	private final BindingReflectionHintsRegistrar binding = new BindingReflectionHintsRegistrar();

	@Override
	public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
		Class<?> type = ClassUtils.getUserClass(bean.getBeanClass());
		if (!this.finder.isAnnotated(type)) {
			return null;
		}
		Resource script = script(type, bean.getBeanFactory());
		return (generation, code) -> register(generation.getRuntimeHints(), type, script);
	}

	private void register(RuntimeHints hints, Class<?> type, @Nullable Resource script) {
		// What a meta-annotation says is read through a proxy.
		hints.proxies()
			.registerJdkProxy(ProjectorEventHandler.class)
			.registerJdkProxy(Projector.class)
			.registerJdkProxy(ReadModelRows.class);
		hints.reflection().registerType(type);
		Map<Method, MergedAnnotation<ProjectorEventHandler>> handlers = this.finder.handlers(type);
		handlers.forEach((method, annotation) -> {
			invoked(hints.reflection(), method, type);
			payloads(hints.reflection(), method, type, annotation.getClass("eventType"));
		});
		this.finder.resets(type).forEach((method) -> invoked(hints.reflection(), method, type));
		if (script != null) {
			hints.resources().registerResource(script);
		}
	}

	/** A JDK proxy is called by the method of its interface. */
	private static void invoked(ReflectionHints hints, Method method, Class<?> type) {
		hints.registerMethod(method, ExecutableMode.INVOKE);
		hints.registerMethod(ClassUtils.getInterfaceMethodIfPossible(method, type), ExecutableMode.INVOKE);
	}

	private void payloads(ReflectionHints hints, Method method, Class<?> type, Class<?> eventType) {
		try {
			Type declared = HandlerSignature.of(method, type).payload();
			payload(hints, declared);
			HandledType.of(declared, eventType).payloadTypes().values().forEach((each) -> payload(hints, each));
		}
		catch (InvalidHandlerException ex) {
			// the start reports it, with all others
		}
	}

	/** Bound by Jackson, and read by expressions that name keys. */
	private void payload(ReflectionHints hints, Type payload) {
		Class<?> raw = ResolvableType.forType(payload).resolve(Object.class);
		if (!JsonNode.class.isAssignableFrom(raw)) {
			this.binding.registerReflectionHints(hints, payload);
			hints.registerType(raw, MemberCategory.INVOKE_PUBLIC_METHODS, MemberCategory.ACCESS_PUBLIC_FIELDS);
		}
	}

	/** Null if there is none, or it lies outside the class path. */
	private static @Nullable Resource script(Class<?> type, ConfigurableListableBeanFactory beans) {
		Projector projector = AnnotatedElementUtils.findMergedAnnotation(type, Projector.class);
		if (projector == null || projector.script().isEmpty()) {
			return null;
		}
		// An expression may need beans, of which there are none yet.
		Environment environment = beans.getBeanProvider(Environment.class).getIfAvailable(StandardEnvironment::new);
		Resource script = new DefaultResourceLoader(beans.getBeanClassLoader())
			.getResource(environment.resolvePlaceholders(projector.script()).strip());
		return (script instanceof ClassPathResource && script.exists()) ? script : null;
	}

}
