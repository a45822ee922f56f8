package dev.eventing.sdk.config;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import dev.eventing.sdk.projector.ProjectorServices.TenantResolver;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Finds the entity manager factories of a context that resolve a tenant for each session.
 * Hibernate and JPA are optional, so they are asked by reflection. An application with
 * another JPA provider has none here.
 */
final class TenantResolvers implements Supplier<List<TenantResolver>> {

	private static final Logger logger = LoggerFactory.getLogger(TenantResolvers.class);

	private static final String FACTORY = "jakarta.persistence.EntityManagerFactory";

	private static final String SESSIONS = "org.hibernate.engine.spi.SessionFactoryImplementor";

	private static final String OPTIONS = "org.hibernate.boot.spi.SessionFactoryOptions";

	private static final String RESOLVER = "org.hibernate.context.spi.CurrentTenantIdentifierResolver";

	private final ListableBeanFactory beans;

	private final @Nullable ClassLoader loader;

	TenantResolvers(ListableBeanFactory beans) {
		this.beans = beans;
		this.loader = ClassUtils.getDefaultClassLoader();
	}

	@Override
	public List<TenantResolver> get() {
		if (!ClassUtils.isPresent(FACTORY, this.loader) || !ClassUtils.isPresent(SESSIONS, this.loader)) {
			return List.of();
		}
		List<TenantResolver> found = new ArrayList<>();
		for (String name : BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beans, type(FACTORY), true,
				false)) {
			TenantResolver resolver = resolverOf(name);
			if (resolver != null) {
				found.add(resolver);
			}
		}
		return found;
	}

	private @Nullable TenantResolver resolverOf(String name) {
		try {
			Object sessions = type(FACTORY).getMethod("unwrap", Class.class)
				.invoke(this.beans.getBean(name), type(SESSIONS));
			Object options = type(SESSIONS).getMethod("getSessionFactoryOptions").invoke(sessions);
			Object resolver = type(OPTIONS).getMethod("getCurrentTenantIdentifierResolver").invoke(options);
			return (resolver != null) ? resolver(name, resolver) : null;
		}
		catch (ReflectiveOperationException ex) {
			logger.debug("Entity manager factory '{}' is not of Hibernate, or of another version of it.", name, ex);
			return null;
		}
	}

	private TenantResolver resolver(String name, Object resolver) {
		return new TenantResolver("entity manager factory '" + name + "' asks " + resolver.getClass().getName()
				+ " for the tenant of each session", () -> resolve(resolver));
	}

	private void resolve(Object resolver) {
		try {
			type(RESOLVER).getMethod("resolveCurrentTenantIdentifier").invoke(resolver);
		}
		catch (InvocationTargetException ex) {
			throw new IllegalStateException("The resolver knows no such tenant.", ex.getTargetException());
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException("Another version of Hibernate has no such method.", ex);
		}
	}

	private Class<?> type(String name) {
		return ClassUtils.resolveClassName(name, this.loader);
	}

}
