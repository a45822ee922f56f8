package dev.eventing.sdk.annotation;

import dev.eventing.sdk.InvalidDeclarationException;

import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Refuses handlers in a context below the one that has the SDK. Their beans are not seen
 * from above, so they would get no events. The start of that context fails, unless it has
 * the SDK itself.
 */
public final class ChildContexts implements ApplicationListener<ContextRefreshedEvent> {

	private final HandlerFinder finder = new HandlerFinder();

	private final ApplicationContext own;

	/**
	 * Creates the check.
	 * @param own the context that has the SDK
	 */
	public ChildContexts(ApplicationContext own) {
		this.own = own;
	}

	/**
	 * Called when a context is refreshed, also for contexts below.
	 * @throws InvalidDeclarationException if a context below has handlers
	 */
	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		ApplicationContext context = event.getApplicationContext();
		if (context == this.own || !(context instanceof ConfigurableApplicationContext child)
				|| context.getBeanNamesForType(ProjectorAnnotationBeanPostProcessor.class, true, false).length > 0) {
			return;
		}
		Problems problems = new Problems();
		for (String name : context.getBeanNamesForType(Object.class, true, false)) {
			Class<?> type = HandlerBeans.targetClass(child.getBeanFactory(), name);
			if (type != null && this.finder.isAnnotated(type) && !ScopedProxyUtils.isScopedTarget(name)) {
				problems.add(
						"Bean '" + name + "' (" + type.getName() + ") of context '" + context.getDisplayName() + "'",
						"it has handlers, but the SDK is in a context above and does not see it. Consider declaring"
								+ " it there, or @EnableEventing in this context instead.");
			}
		}
		problems.throwIfAny();
	}

}
