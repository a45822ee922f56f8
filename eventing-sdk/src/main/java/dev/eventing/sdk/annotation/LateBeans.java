package dev.eventing.sdk.annotation;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Warns of beans that a context below that of the SDK creates after its start, and whose
 * declared type did not show their kind. Changes no bean.
 */
final class LateBeans implements BeanPostProcessor {

	private static final Logger logger = LoggerFactory.getLogger(LateBeans.class);

	private final ConfigurableListableBeanFactory beanFactory;

	private final String context;

	private final BeanKinds kinds;

	/** The beans that the log has named. */
	private final Set<String> warned = ConcurrentHashMap.newKeySet();

	/** The kinds include beans with handlers. */
	LateBeans(ConfigurableListableBeanFactory beanFactory, String context, BeanKinds kinds) {
		this.beanFactory = beanFactory;
		this.context = context;
		this.kinds = kinds;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		Class<?> type = HandlerFinder.targetClass(bean);
		BeanKind kind = this.kinds.kindOf(type);
		String name = HandlerFinder.withoutScope(beanName);
		if (kind != null && this.beanFactory.containsLocalBean(name) && this.warned.add(name)) {
			logger.warn(
					"Bean '{}' ({}) of context '{}' {}, but the SDK is in a context above and does not see it."
							+ " Consider declaring it there, with its own class as type.",
					name, type.getName(), this.context, kind.words());
		}
		return bean;
	}

}
