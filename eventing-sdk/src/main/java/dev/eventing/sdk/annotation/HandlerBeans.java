package dev.eventing.sdk.annotation;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

	/** The beans that the log has named after the start. */
	private final Set<String> warned = ConcurrentHashMap.newKeySet();

	private volatile boolean complete;

	HandlerBeans(ConfigurableListableBeanFactory beanFactory, HandlerFinder finder) {
		this.beanFactory = beanFactory;
		this.finder = finder;
	}

	/**
	 * Records a bean that the context has just created, if it has handlers. Registers no
	 * projector after the start: it would run on those nodes only that happened to make
	 * the bean, and without the checks of a start.
	 */
	void created(Object bean, String beanName) {
		Class<?> type = HandlerFinder.targetClass(bean);
		if (!this.finder.isAnnotated(type)) {
			return;
		}
		String name = (bean instanceof FactoryBean) ? BeanFactoryUtils.transformedBeanName(beanName) : beanName;
		String lookup = (bean instanceof FactoryBean) ? "&" + name : name;
		if (this.complete) {
			warnIfUnknown(lookup, type);
		}
		else if (!ScopedProxyUtils.isScopedTarget(name) && !isOneOfMany(lookup)) {
			this.created.put(lookup, bean);
		}
		// else search() finds the proxy, or reports the bean, once for all its instances
	}

	private boolean isOneOfMany(String name) {
		return this.beanFactory.containsLocalBean(name) && !this.beanFactory.isSingleton(name);
	}

	/** Nothing but the instance showed its class, or the start would know it. */
	private void warnIfUnknown(String lookup, Class<?> type) {
		String name = ScopedProxyUtils.isScopedTarget(lookup) ? ScopedProxyUtils.getOriginalBeanName(lookup) : lookup;
		if (!this.created.containsKey(name) && this.warned.add(name)) {
			logger.warn(
					"Bean '{}' ({}) was created after the start of the projectors, so its handlers {} get no events."
							+ " Consider declaring it with its own class as type, or as a singleton without @Lazy.",
					name, type.getName(), names(type));
		}
	}

	private List<String> names(Class<?> type) {
		return this.finder.handlers(type)
			.keySet()
			.stream()
			.map((method) -> HandlerReader.describe(method, type))
			.sorted()
			.toList();
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
	 * Lazy beans whose declared type has no instances of its own may have handlers in
	 * their class. Any other type may have subclasses, too: that shows when such a bean
	 * is created.
	 */
	private void warnOfHidden() {
		List<String> hidden = new ArrayList<>();
		for (String name : this.beanFactory.getBeanDefinitionNames()) {
			BeanDefinition definition = this.beanFactory.getBeanDefinition(name);
			Class<?> type = (definition.isLazyInit() && definition.getRole() == BeanDefinition.ROLE_APPLICATION
					&& !this.beanFactory.containsSingleton(name)) ? targetClass(name) : null;
			if (type != null && isOpen(type) && !this.finder.isAnnotated(type) && !isOfAFramework(definition, type)) {
				hidden.add(name + " (" + type.getName() + ")");
			}
		}
		if (!hidden.isEmpty()) {
			logger
				.warn("Of these lazy beans only an interface or a base class is known, so handlers of their classes would"
						+ " get no events: {}. Consider the class as the type of the @Bean method, or @Lazy(false), if one"
						+ " has handlers.", hidden);
		}
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
