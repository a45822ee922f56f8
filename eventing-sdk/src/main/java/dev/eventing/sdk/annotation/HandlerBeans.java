package dev.eventing.sdk.annotation;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.util.ClassUtils;

/**
 * The beans that have handlers. This includes lazy beans, which the context would create
 * only at their first use.
 */
final class HandlerBeans {

	private static final Logger logger = LoggerFactory.getLogger(HandlerBeans.class);

	/** What they declare has no handlers. */
	private static final List<String> FRAMEWORKS = List.of("java.", "javax.", "jakarta.", "org.springframework.",
			"dev.eventing.sdk.config.", "dev.eventing.sdk.autoconfigure.");

	private final ConfigurableListableBeanFactory beanFactory;

	private final HandlerFinder finder;

	private final Map<String, Object> created = new ConcurrentHashMap<>();

	private volatile boolean complete;

	HandlerBeans(ConfigurableListableBeanFactory beanFactory, HandlerFinder finder) {
		this.beanFactory = beanFactory;
		this.finder = finder;
	}

	/** Records a bean that the context has just created, if it has handlers. */
	void created(Object bean, String beanName) {
		if (ScopedProxyUtils.isScopedTarget(beanName) || !this.finder.isAnnotated(HandlerFinder.targetClass(bean))) {
			return;
		}
		String name = (bean instanceof FactoryBean) ? BeanFactoryUtils.transformedBeanName(beanName) : beanName;
		String lookup = (bean instanceof FactoryBean) ? "&" + name : name;
		if (this.beanFactory.containsLocalBean(lookup) && !this.beanFactory.isSingleton(lookup)) {
			return; // search() reports it, once for all its instances
		}
		if (this.complete) {
			warnIfUnknown(lookup, bean);
		}
		else {
			this.created.put(lookup, bean);
		}
	}

	private void warnIfUnknown(String name, Object bean) {
		if (!this.created.containsKey(name)) {
			logger.warn(
					"Bean '{}' ({}) was created after the start of the projectors, so its handlers get no events. "
							+ "Consider declaring it with its own class as type, or without @Lazy.",
					name, HandlerFinder.targetClass(bean).getName());
		}
	}

	/** Returns all singletons with handlers. Creates the lazy ones. */
	List<HandlerBean> all(Problems problems) {
		for (String name : this.beanFactory.getBeanNamesForType(Object.class, true, false)) {
			if (!this.created.containsKey(name) && !ScopedProxyUtils.isScopedTarget(name)) {
				search(name, problems);
			}
		}
		this.complete = true;
		warnOfHidden();
		List<HandlerBean> beans = new ArrayList<>();
		this.created.forEach((name, bean) -> beans.add(handedOut(name, bean)));
		return beans;
	}

	/**
	 * Lazy beans of which only an interface is known may have handlers in their class.
	 */
	private void warnOfHidden() {
		List<String> hidden = new ArrayList<>();
		for (String name : this.beanFactory.getBeanDefinitionNames()) {
			BeanDefinition definition = this.beanFactory.getBeanDefinition(name);
			Class<?> type = (definition.isLazyInit() && definition.getRole() == BeanDefinition.ROLE_APPLICATION
					&& !this.beanFactory.containsSingleton(name)) ? targetClass(name) : null;
			if (type != null && type.isInterface() && !this.finder.isAnnotated(type)
					&& !isOfAFramework(definition, type)) {
				hidden.add(name + " (" + type.getName() + ")");
			}
		}
		if (!hidden.isEmpty()) {
			logger
				.warn("Of these lazy beans only an interface is known, so handlers of their classes would get no events:"
						+ " {}. Consider the class as the type of the @Bean method, or @Lazy(false), if one has handlers.",
						hidden);
		}
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

	private void search(String name, Problems problems) {
		Class<?> type = targetClass(name);
		if (type == null || !this.finder.isAnnotated(type)) {
			return;
		}
		if (this.beanFactory.isSingleton(name)) {
			this.created.put(name, this.beanFactory.getBean(name));
			return;
		}
		problems.add("Bean '" + name + "' (" + type.getName() + ")",
				"it has handlers but is not a singleton, so no single instance can receive the events. "
						+ "Consider making it a singleton, or using a scoped proxy for its scope.");
	}

	private @Nullable Class<?> targetClass(String name) {
		return targetClass(this.beanFactory, name);
	}

	/** The class of a bean behind its proxies, as far as the definition tells it. */
	static @Nullable Class<?> targetClass(ConfigurableListableBeanFactory beanFactory, String name) {
		Class<?> type = AutoProxyUtils.determineTargetClass(beanFactory, name);
		if (type != null && ScopedObject.class.isAssignableFrom(type)) {
			type = AutoProxyUtils.determineTargetClass(beanFactory, ScopedProxyUtils.getTargetBeanName(name));
		}
		return (type != null) ? ClassUtils.getUserClass(type) : null;
	}

	/**
	 * A created bean may get its proxy later. In a circle of beans it got the proxy
	 * earlier. So this asks the context for the bean. The context does not know inner
	 * beans.
	 */
	private HandlerBean handedOut(String name, Object bean) {
		Class<?> targetClass = HandlerFinder.targetClass(bean);
		if (this.beanFactory.containsLocalBean(name)) {
			Object known = this.beanFactory.getBean(name);
			if (HandlerFinder.targetClass(known) == targetClass) {
				return new HandlerBean(name, known, targetClass);
			}
		}
		return new HandlerBean(name, bean, targetClass);
	}

}
