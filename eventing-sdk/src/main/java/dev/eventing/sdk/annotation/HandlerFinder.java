package dev.eventing.sdk.annotation;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/** Finds handlers on classes; safe for use by several threads. */
final class HandlerFinder {

	// Prototypes pass here again and again; a class is searched in vain only once.
	private final Set<Class<?>> withoutHandlers = ConcurrentHashMap.newKeySet();

	/** The user's class of a bean, behind all proxies and enhanced configuration. */
	static Class<?> targetClass(Object bean) {
		return ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(bean));
	}

	/** Whether a class or what it inherits from has anything for us. */
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

	/** The handlers of a class, inherited ones included, each method once. */
	Map<Method, MergedAnnotation<ProjectorEventHandler>> handlers(Class<?> type) {
		return MethodIntrospector.selectMethods(type, HandlerFinder::annotation);
	}

	private static @Nullable MergedAnnotation<ProjectorEventHandler> annotation(Method method) {
		MergedAnnotation<ProjectorEventHandler> annotation = MergedAnnotations
			.from(method, SearchStrategy.TYPE_HIERARCHY)
			.get(ProjectorEventHandler.class);
		return annotation.isPresent() ? annotation : null;
	}

}
