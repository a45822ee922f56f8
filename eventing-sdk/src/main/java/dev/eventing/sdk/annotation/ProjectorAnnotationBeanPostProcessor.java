package dev.eventing.sdk.annotation;

import java.util.ArrayList;
import java.util.List;

import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorEndpoints;
import dev.eventing.sdk.projector.ProjectorSettingsSource;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.util.Assert;

/**
 * Finds the {@link ProjectorEventHandler} methods of an application's beans and hands the
 * projectors they make to {@link ProjectorEndpoints}, all at once when every singleton
 * has been created.
 *
 * <p>
 * Handlers are looked for on the user's class behind all proxies, inherited and
 * meta-annotated ones included, and are called through the bean as the context hands it
 * out. A lazy singleton with handlers is created at start-up. A bean that is no singleton
 * may have handlers only behind a scoped proxy.
 *
 * <p>
 * Declare it by a static method, or other beans are created before it. It asks for
 * {@link ProjectorEndpoints} and an optional {@link ProjectorSettingsSource} only then,
 * and needs neither where there is no handler.
 */
public class ProjectorAnnotationBeanPostProcessor
		implements BeanPostProcessor, SmartInitializingSingleton, BeanFactoryAware, Ordered {

	private final HandlerFinder finder = new HandlerFinder();

	private @Nullable ConfigurableListableBeanFactory beanFactory;

	private @Nullable HandlerBeans beans;

	@Override
	public void setBeanFactory(BeanFactory beanFactory) {
		Assert.isInstanceOf(ConfigurableListableBeanFactory.class, beanFactory);
		this.beanFactory = (ConfigurableListableBeanFactory) beanFactory;
		this.beans = new HandlerBeans(this.beanFactory, this.finder);
	}

	/** Late, so that the bean has most of its proxies already. */
	@Override
	public int getOrder() {
		return LOWEST_PRECEDENCE;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (this.beans != null) {
			this.beans.created(bean, beanName);
		}
		return bean;
	}

	/**
	 * Hands over all projectors, or none.
	 * @throws ProjectorConfigurationException naming everything that is wrong
	 */
	@Override
	public void afterSingletonsInstantiated() {
		ConfigurableListableBeanFactory context = this.beanFactory;
		HandlerBeans found = this.beans;
		Assert.state(context != null && found != null, "No bean factory has been set");
		Problems problems = new Problems();
		HandlerReader reader = new HandlerReader(new AttributeResolver(context), this.finder,
				new TransactionRules(context, () -> transactionManager(context)), problems);
		List<HandlerDeclaration> declarations = new ArrayList<>();
		found.all(problems).forEach((bean) -> declarations.addAll(reader.read(bean)));
		ProjectorSettingsSource settings = context.getBeanProvider(ProjectorSettingsSource.class)
			.getIfAvailable(ProjectorSettingsSource::none);
		List<ProjectorEndpoint> endpoints = new EndpointAssembler(settings, problems).assemble(declarations);
		handOver(endpoints, context, problems);
	}

	private static @Nullable PlatformTransactionManager transactionManager(ConfigurableListableBeanFactory context) {
		ProjectorEndpoints sink = context.getBeanProvider(ProjectorEndpoints.class).getIfAvailable();
		return (sink != null) ? sink.transactionManager() : null;
	}

	private static void handOver(List<ProjectorEndpoint> endpoints, ConfigurableListableBeanFactory context,
			Problems problems) {
		ProjectorEndpoints sink = context.getBeanProvider(ProjectorEndpoints.class).getIfAvailable();
		if (sink == null && !endpoints.isEmpty()) {
			problems.add("Projectors " + endpoints.stream().map(ProjectorEndpoint::name).toList(),
					"there is no bean that runs them. Consider @EnableEventing, or a bean of type "
							+ ProjectorEndpoints.class.getSimpleName() + ".");
		}
		problems.throwIfAny();
		if (sink != null) {
			endpoints.forEach(sink::register);
		}
	}

}
