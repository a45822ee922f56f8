package dev.eventing.sdk.liveview.run;

import dev.eventing.sdk.liveview.InvalidLiveViewException;
import dev.eventing.sdk.liveview.LiveView;
import dev.eventing.sdk.liveview.LiveViewDefinition;
import dev.eventing.sdk.liveview.LiveViews;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Defines the views that an application declares: beans with {@link LiveView}, and beans
 * of {@link LiveViewDefinition}, when all singletons have been created.
 */
public final class DeclaredViews implements SmartInitializingSingleton {

	private final ConfigurableListableBeanFactory beans;

	private final LiveViews views;

	public DeclaredViews(ConfigurableListableBeanFactory beans, LiveViews views) {
		this.beans = beans;
		this.views = views;
	}

	/**
	 * Defines them.
	 * @throws InvalidLiveViewException if one is not valid
	 */
	@Override
	public void afterSingletonsInstantiated() {
		for (String name : this.beans.getBeanNamesForType(LiveViewDefinition.class)) {
			requireSingleton(name, "is a LiveViewDefinition");
			this.views.define(this.beans.getBean(name, LiveViewDefinition.class));
		}
		for (String name : this.beans.getBeanNamesForAnnotation(LiveView.class)) {
			define(name);
		}
	}

	private void define(String name) {
		requireSingleton(name, "has @LiveView");
		Object bean = this.beans.getBean(name);
		// A view is a function: what surrounds the bean's methods does not concern it.
		Object target = AopUtils.isAopProxy(bean) ? AopProxyUtils.getSingletonTarget(bean) : bean;
		Class<?> type = AopUtils.getTargetClass(bean);
		LiveView view = AnnotatedElementUtils.findMergedAnnotation(type, LiveView.class);
		if (view != null) {
			this.views
				.define(new AnnotatedView((target != null) ? target : bean, type, view, this::resolved).definition());
		}
	}

	private void requireSingleton(String name, String what) {
		if (!this.beans.isSingleton(name)) {
			throw new InvalidLiveViewException(
					"Bean '" + name + "' " + what + ", but is not a singleton. Consider making it one.");
		}
	}

	private String resolved(String text) {
		String resolved = this.beans.resolveEmbeddedValue(text);
		return (resolved != null) ? resolved : "";
	}

}
