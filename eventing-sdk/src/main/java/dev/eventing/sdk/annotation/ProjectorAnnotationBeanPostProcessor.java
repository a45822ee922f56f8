package dev.eventing.sdk.annotation;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import dev.eventing.sdk.InvalidDeclarationException;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.EventJsonMapper;
import dev.eventing.sdk.event.PayloadClasses;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorEndpoints;
import dev.eventing.sdk.projector.ProjectorSettingsSource;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.util.Assert;

/**
 * Finds the {@link ProjectorEventHandler} methods of an application's beans. When all
 * singletons have been created, it registers all their projectors with
 * {@link ProjectorEndpoints}.
 *
 * <p>
 * It looks for handlers on the user's class without proxies, including inherited and
 * meta-annotated methods. It calls them through the bean that the context returns. It
 * creates lazy singletons with handlers at start-up. A bean that is not a singleton needs
 * a scoped proxy to have handlers.
 *
 * <p>
 * Declare it with a static {@code @Bean} method. Otherwise the context creates other
 * beans before it. It looks up {@link ProjectorEndpoints} and the optional
 * {@link ProjectorSettingsSource} and {@link BeanKinds} only when all singletons have
 * been created. Without handlers it needs none of them.
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

	/** Runs last, so that the bean already has most of its proxies. */
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
	 * Registers all projectors, or none if there is a problem.
	 * @throws InvalidDeclarationException with all problems
	 */
	@Override
	public void afterSingletonsInstantiated() {
		ConfigurableListableBeanFactory context = this.beanFactory;
		HandlerBeans found = this.beans;
		Assert.state(context != null && found != null, "No bean factory has been set");
		Problems problems = new Problems();
		UncheckedHandlers unchecked = new UncheckedHandlers();
		HandlerReader reader = new HandlerReader(new AttributeResolver(context), this.finder,
				new TransactionRules(context, () -> transactionManager(context)), problems, unchecked);
		List<HandlerDeclaration> declarations = new ArrayList<>();
		BeanKinds others = context.getBeanProvider(BeanKinds.class).getIfAvailable(() -> BeanKinds.NONE);
		found.all(others, problems).forEach((bean) -> declarations.addAll(reader.read(bean)));
		ProjectorSettingsSource settings = context.getBeanProvider(ProjectorSettingsSource.class)
			.getIfAvailable(ProjectorSettingsSource::none);
		List<ProjectorEndpoint> endpoints = new EndpointAssembler(settings, problems).assemble(declarations);
		checkPayloads(declarations, context, problems);
		checkKeys(endpoints, problems);
		new VersionChains(context, problems).check(declarations);
		handOver(endpoints, context, problems);
		unchecked.tell();
	}

	/** Else each event would become a dead letter. */
	private static void checkPayloads(List<HandlerDeclaration> declarations, ConfigurableListableBeanFactory context,
			Problems problems) {
		JsonMapper mapper = context.getBeanProvider(EventJsonMapper.class)
			.getIfAvailable(() -> new EventJsonMapper(EventJson.mapper()))
			.mapper();
		for (HandlerDeclaration declaration : declarations) {
			declaration.method().payloadTypes().values().stream().distinct().forEach((type) -> {
				String problem = PayloadClasses.problem(mapper, type);
				if (problem != null) {
					problems.add(declaration.where(), problem);
				}
			});
		}
	}

	/** Else each event would become a dead letter. */
	private static void checkKeys(List<ProjectorEndpoint> endpoints, Problems problems) {
		for (ProjectorEndpoint endpoint : endpoints) {
			String key = endpoint.options().settings().key();
			if (key != null) {
				Set<Class<?>> payloads = new LinkedHashSet<>();
				endpoint.handlers().forEach((handler) -> payloads.addAll(handler.eventClasses().values()));
				for (Class<?> payload : payloads) {
					String problem = KeyProperties.problem(key, payload);
					if (problem != null) {
						problems.add("Projector '" + endpoint.name() + "'", problem);
					}
				}
			}
		}
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
					"no bean runs them. Consider @EnableEventing, or a bean of type "
							+ ProjectorEndpoints.class.getSimpleName() + ".");
		}
		problems.throwIfAny();
		if (sink != null) {
			endpoints.forEach(sink::register);
		}
	}

}
