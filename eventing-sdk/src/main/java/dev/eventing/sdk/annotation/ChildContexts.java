package dev.eventing.sdk.annotation;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.util.ClassUtils;

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
	 * @throws ProjectorConfigurationException if a context below has handlers
	 */
	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		ApplicationContext context = event.getApplicationContext();
		if (context == this.own
				|| context.getBeanNamesForType(ProjectorAnnotationBeanPostProcessor.class, true, false).length > 0) {
			return;
		}
		List<String> problems = new ArrayList<>();
		for (String name : context.getBeanDefinitionNames()) {
			Class<?> type = typeOf(context, name);
			if (type != null && this.finder.isAnnotated(type)) {
				problems.add("Bean '" + name + "' (" + type.getName() + ") of context '" + context.getDisplayName()
						+ "': it has handlers, but the SDK is in a context above and does not see it. Consider declaring"
						+ " it there, or @EnableEventing in this context instead.");
			}
		}
		if (!problems.isEmpty()) {
			throw new ProjectorConfigurationException(problems);
		}
	}

	private static @Nullable Class<?> typeOf(ApplicationContext context, String name) {
		boolean isDefined = !(context instanceof ConfigurableApplicationContext configurable)
				|| !configurable.getBeanFactory().getBeanDefinition(name).isAbstract();
		Class<?> type = isDefined ? context.getType(name, false) : null;
		return (type != null) ? ClassUtils.getUserClass(type) : null;
	}

}
