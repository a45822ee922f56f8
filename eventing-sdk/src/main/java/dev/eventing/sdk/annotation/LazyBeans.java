package dev.eventing.sdk.annotation;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;

/** The lazy beans of a context, which it has not created yet. */
final class LazyBeans {

	private static final Logger logger = LoggerFactory.getLogger(LazyBeans.class);

	/** The SDK looks for none of the beans that they declare. */
	private static final List<String> FRAMEWORKS = List.of("java.", "javax.", "jakarta.", "org.springframework.",
			"dev.eventing.sdk.config.", "dev.eventing.sdk.autoconfigure.");

	private final ConfigurableListableBeanFactory beanFactory;

	private final BeanKinds kinds;

	/** The kinds include beans with handlers. */
	LazyBeans(ConfigurableListableBeanFactory beanFactory, BeanKinds kinds) {
		this.beanFactory = beanFactory;
		this.kinds = kinds;
	}

	/**
	 * Warns of beans whose declared type has no instances of its own: their class may be
	 * one that the SDK looks for. Any other type may have subclasses, too: that shows
	 * when such a bean is created.
	 * @param where the context, if it is not that of the SDK; else empty
	 */
	void warnOfHidden(String where) {
		List<String> hidden = new ArrayList<>();
		for (String name : this.beanFactory.getBeanDefinitionNames()) {
			BeanDefinition definition = this.beanFactory.getBeanDefinition(name);
			Class<?> type = isAwaited(name, definition) ? HandlerFinder.targetClass(this.beanFactory, name) : null;
			if (type != null && isOpen(type) && this.kinds.kindOf(type) == null && !isOfAFramework(definition, type)) {
				hidden.add(name + " (" + type.getName() + ")");
			}
		}
		if (!hidden.isEmpty()) {
			logger.warn("Of these lazy beans{} only an interface or a base class is known, so handlers, live views and"
					+ " checks of their classes would not run: {}. Consider the class as the type of the @Bean method,"
					+ " or @Lazy(false), if one has any.", where, hidden);
		}
	}

	private boolean isAwaited(String name, BeanDefinition definition) {
		return definition.isLazyInit() && definition.getRole() == BeanDefinition.ROLE_APPLICATION
				&& !this.beanFactory.containsSingleton(name);
	}

	/** An interface, an abstract class, or what every class is; an array is final. */
	private static boolean isOpen(Class<?> type) {
		int modifiers = type.getModifiers();
		return type == Object.class || (Modifier.isAbstract(modifiers) && !Modifier.isFinal(modifiers));
	}

	private static boolean isOfAFramework(BeanDefinition definition, Class<?> type) {
		String declared = declaredBy(definition);
		return FRAMEWORKS.stream().anyMatch(((declared != null) ? declared : type.getName())::startsWith);
	}

	/** The class with the {@code @Bean} method; null if there is none. */
	private static @Nullable String declaredBy(BeanDefinition definition) {
		if (definition instanceof AnnotatedBeanDefinition annotated && annotated.getFactoryMethodMetadata() != null) {
			return annotated.getFactoryMethodMetadata().getDeclaringClassName();
		}
		// A definition that was made ahead of time has no metadata.
		Method method = (definition instanceof RootBeanDefinition root) ? root.getResolvedFactoryMethod() : null;
		return (method != null) ? method.getDeclaringClass().getName() : null;
	}

}
