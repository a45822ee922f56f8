package dev.eventing.sdk.annotation;

import java.lang.reflect.Method;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/** Finds the handlers of classes. Thread-safe. */
final class HandlerFinder {

	private static final BeanKind HANDLERS = new BeanKind("has handlers", true);

	// Prototypes come here often. A class without handlers is searched only once.
	private final Set<Class<?>> withoutHandlers = ConcurrentHashMap.newKeySet();

	/**
	 * Returns the user's class of a bean, without proxies and configuration subclasses.
	 */
	static Class<?> targetClass(Object bean) {
		return ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(bean));
	}

	/** The class of a bean behind its proxies, as far as the definition tells it. */
	static @Nullable Class<?> targetClass(ConfigurableListableBeanFactory beanFactory, String name) {
		Class<?> type = AutoProxyUtils.determineTargetClass(beanFactory, name);
		if (type != null && ScopedObject.class.isAssignableFrom(type)) {
			type = AutoProxyUtils.determineTargetClass(beanFactory, ScopedProxyUtils.getTargetBeanName(name));
		}
		return (type != null) ? ClassUtils.getUserClass(type) : null;
	}

	/** Beans with handlers, as one more kind beside these. */
	BeanKinds and(BeanKinds others) {
		return (type) -> isAnnotated(type) ? HANDLERS : others.kindOf(type);
	}

	/** Whether a class or one of its supertypes has one of the SDK's annotations. */
	boolean isAnnotated(Class<?> type) {
		if (this.withoutHandlers.contains(type)) {
			return false;
		}
		boolean annotated = AnnotationUtils.isCandidateClass(type, Set.of(ProjectorEventHandler.class, Projector.class))
				&& (MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY).isPresent(Projector.class)
						|| !handlers(type).isEmpty());
		if (!annotated) {
			this.withoutHandlers.add(type);
		}
		return annotated;
	}

	/**
	 * Returns the handlers of a class, including inherited ones. Each method occurs once.
	 */
	Map<Method, MergedAnnotation<ProjectorEventHandler>> handlers(Class<?> type) {
		return MethodIntrospector.selectMethods(type, HandlerFinder::annotation);
	}

	/**
	 * Returns the methods of a class that empty a read model, including inherited ones,
	 * by name.
	 */
	List<Method> resets(Class<?> type) {
		return MethodIntrospector
			.selectMethods(type,
					(Method method) -> MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY)
						.isPresent(ProjectionReset.class))
			.stream()
			.sorted(Comparator.comparing(Method::getName))
			.toList();
	}

	private static @Nullable MergedAnnotation<ProjectorEventHandler> annotation(Method method) {
		MergedAnnotation<ProjectorEventHandler> annotation = MergedAnnotations
			.from(method, SearchStrategy.TYPE_HIERARCHY)
			.get(ProjectorEventHandler.class);
		return annotation.isPresent() ? annotation : null;
	}

	/** The name under which an application looks a bean up. */
	static String withoutScope(String name) {
		return ScopedProxyUtils.isScopedTarget(name) ? ScopedProxyUtils.getOriginalBeanName(name) : name;
	}

}
