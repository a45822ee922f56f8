package dev.eventing.sdk.config;

import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

import dev.eventing.sdk.projector.ProjectorServices.TenantResolver;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ListableBeanFactory;

/**
 * Finds the entity manager factories of a context that resolve a tenant for each session.
 */
final class TenantResolvers implements Supplier<List<TenantResolver>> {

	static final String OPTIONS = "org.hibernate.boot.spi.SessionFactoryOptions";

	static final String RESOLVER = "org.hibernate.context.spi.CurrentTenantIdentifierResolver";

	private final SessionFactories factories;

	TenantResolvers(ListableBeanFactory beans) {
		this.factories = new SessionFactories(beans);
	}

	@Override
	public List<TenantResolver> get() {
		return this.factories.ask(this::find);
	}

	private @Nullable TenantResolver find(String name, Object sessions) throws ReflectiveOperationException {
		Object options = Objects
			.requireNonNull(this.factories.call(SessionFactories.SESSIONS, "getSessionFactoryOptions", sessions));
		Object resolver = this.factories.call(OPTIONS, "getCurrentTenantIdentifierResolver", options);
		return (resolver != null) ? resolver(name, resolver) : null;
	}

	private TenantResolver resolver(String name, Object resolver) {
		return new TenantResolver("entity manager factory '" + name + "' asks " + resolver.getClass().getName()
				+ " for the tenant of each session", () -> resolve(resolver));
	}

	private void resolve(Object resolver) {
		try {
			this.factories.call(RESOLVER, "resolveCurrentTenantIdentifier", resolver);
		}
		catch (InvocationTargetException ex) {
			throw new IllegalStateException("The resolver knows no such tenant.", ex.getTargetException());
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException("Another version of Hibernate has no such method.", ex);
		}
	}

}
