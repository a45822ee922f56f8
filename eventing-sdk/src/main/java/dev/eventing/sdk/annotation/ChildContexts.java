package dev.eventing.sdk.annotation;

import dev.eventing.sdk.InvalidDeclarationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Refuses handlers, and other beans that the SDK looks for, in a context below the one
 * that has the SDK. These beans are not seen from above, so they would do nothing. The
 * start of that context fails, unless it has the SDK itself. The log warns of beans that
 * code of that context may use, and of lazy beans whose declared type does not show what
 * they are.
 */
public final class ChildContexts implements ApplicationListener<ContextRefreshedEvent> {

	private static final Logger logger = LoggerFactory.getLogger(ChildContexts.class);

	private final HandlerFinder finder = new HandlerFinder();

	private final ApplicationContext own;

	private final ObjectProvider<BeanKinds> others;

	/**
	 * Creates the check.
	 * @param own the context that has the SDK
	 * @param others the kinds of beans that are refused beside beans with handlers
	 */
	public ChildContexts(ApplicationContext own, ObjectProvider<BeanKinds> others) {
		this.own = own;
		this.others = others;
	}

	/**
	 * Called when a context is refreshed, also for contexts below.
	 * @throws InvalidDeclarationException if a context below has beans that the SDK looks
	 * for
	 */
	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		ApplicationContext context = event.getApplicationContext();
		if (!(context instanceof ConfigurableApplicationContext child) || nearestWithTheSdk(context) != this.own) {
			return;
		}
		ConfigurableListableBeanFactory beans = child.getBeanFactory();
		BeanKinds kinds = this.finder.and(this.others.getIfAvailable(() -> BeanKinds.NONE));
		refuse(beans, context.getDisplayName(), kinds);
		new LazyBeans(beans, kinds).warnOfHidden(" of context '" + context.getDisplayName() + "'");
		beans.addBeanPostProcessor(new LateBeans(beans, context.getDisplayName(), kinds));
	}

	/** Whose own check is the one for a context; null if that is the context itself. */
	private static @Nullable ApplicationContext nearestWithTheSdk(ApplicationContext context) {
		if (hasTheSdk(context)) {
			return null;
		}
		ApplicationContext above = context.getParent();
		while (above != null && !hasTheSdk(above)) {
			above = above.getParent();
		}
		return above;
	}

	private static boolean hasTheSdk(ApplicationContext context) {
		return context.getBeanNamesForType(ProjectorAnnotationBeanPostProcessor.class, true, false).length > 0;
	}

	private static void refuse(ConfigurableListableBeanFactory beans, String context, BeanKinds kinds) {
		Problems problems = new Problems();
		for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
			Class<?> type = HandlerFinder.targetClass(beans, name);
			if (type != null && !ScopedProxyUtils.isScopedTarget(name)) {
				BeanKind kind = kinds.kindOf(type);
				if (kind != null && kind.forTheSdkAlone()) {
					problems.add("Bean '" + name + "' (" + type.getName() + ") of context '" + context + "'",
							"it " + kind.words() + ", but the SDK is in a context above and does not see it. Consider"
									+ " declaring it there, or @EnableEventing in this context instead.");
				}
				else if (kind != null) {
					logger.warn(
							"Bean '{}' ({}) of context '{}' {}, but the SDK is in a context above and does not see it."
									+ " Consider declaring it there, unless code of this context uses it.",
							name, type.getName(), context, kind.words());
				}
			}
		}
		problems.throwIfAny("These beans would do nothing:",
				"Declare the beans above in the context of the SDK, or enable the SDK in their context.");
	}

}
