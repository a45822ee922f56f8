package dev.eventing.sdk.annotation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * The beans that have handlers. This includes lazy beans, which the context would create
 * only at their first use. Warns of beans, also of other kinds, that the SDK cannot find
 * because they are created after its start and their type does not show their kind.
 */
final class HandlerBeans {

	private static final Logger logger = LoggerFactory.getLogger(HandlerBeans.class);

	private final ConfigurableListableBeanFactory beanFactory;

	private final HandlerFinder finder;

	private final Map<String, Object> created = new ConcurrentHashMap<>();

	/** The beans of other kinds that may be created later, and whose type shows it. */
	private final Set<String> others = ConcurrentHashMap.newKeySet();

	/** The beans that the log has named after the start. */
	private final Set<String> warned = ConcurrentHashMap.newKeySet();

	private volatile BeanKinds kinds = BeanKinds.NONE;

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
			if (this.complete) {
				warnIfOfAnotherKind(beanName, type);
			}
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
		String name = HandlerFinder.withoutScope(lookup);
		if (!this.created.containsKey(name) && this.warned.add(name)) {
			logger.warn(
					"Bean '{}' ({}) was created after the start of the projectors, so its handlers {} get no events."
							+ " Consider declaring it with its own class as type, or as a singleton without @Lazy.",
					name, type.getName(), names(type));
		}
	}

	/** If the type of the bean shows its kind, the SDK has found it. */
	private void warnIfOfAnotherKind(String beanName, Class<?> type) {
		BeanKind kind = this.kinds.kindOf(type);
		String name = HandlerFinder.withoutScope(beanName);
		if (kind != null && !this.others.contains(name) && this.beanFactory.containsLocalBean(name)
				&& this.warned.add(name)) {
			logger.warn(
					"Bean '{}' ({}) {}, but it was created after the start of the SDK, so the SDK does not see it."
							+ " Consider declaring it with its own class as type, or as a singleton without @Lazy.",
					name, type.getName(), kind.words());
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

	/**
	 * Returns all singletons with handlers. Creates the lazy ones.
	 * @param others the kinds of beans that other parts of the SDK look for
	 */
	List<HandlerBean> all(BeanKinds others, Problems problems) {
		this.kinds = others;
		for (String name : this.beanFactory.getBeanNamesForType(Object.class, true, false)) {
			if (!this.created.containsKey(name) && !ScopedProxyUtils.isScopedTarget(name)) {
				search(name, problems);
			}
		}
		this.complete = true;
		new LazyBeans(this.beanFactory, this.finder.and(others)).warnOfHidden("");
		List<HandlerBean> beans = new ArrayList<>();
		this.created.forEach((name, bean) -> beans.add(handedOut(name, bean)));
		return beans;
	}

	private void search(String name, Problems problems) {
		Class<?> type = HandlerFinder.targetClass(this.beanFactory, name);
		if (type == null) {
			return;
		}
		if (!this.finder.isAnnotated(type)) {
			if (mayBeCreatedLater(name) && this.kinds.kindOf(type) != null) {
				this.others.add(BeanFactoryUtils.transformedBeanName(name));
			}
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

	/** A factory may be there before what it makes, such as the target of a scope. */
	private boolean mayBeCreatedLater(String name) {
		return !this.beanFactory.containsSingleton(name) || this.beanFactory.isFactoryBean(name);
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
