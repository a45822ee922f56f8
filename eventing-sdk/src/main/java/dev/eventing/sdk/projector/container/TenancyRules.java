package dev.eventing.sdk.projector.container;

import java.util.Collection;
import java.util.List;

import dev.eventing.sdk.event.CurrentTenant;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorServices.TenantResolver;
import dev.eventing.sdk.projector.ProjectorServices.Tenants;
import dev.eventing.sdk.projector.ProjectorStartException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses projectors whose rows would be written under another tenant than the one of
 * their event.
 */
final class TenancyRules {

	private static final Logger logger = LoggerFactory.getLogger(TenancyRules.class);

	/** No event has it: a resolver is only asked whether it looks for the tenant. */
	private static final TenantId PROBE = TenantId.of("eventing-start-up-check");

	private final Tenants tenants;

	TenancyRules(Tenants tenants) {
		this.tenants = tenants;
	}

	/**
	 * Checks all versions of a projector.
	 * @throws ProjectorStartException with what to change
	 */
	void require(Collection<ProjectorEndpoint> versions) {
		for (ProjectorEndpoint version : versions) {
			if (version.options().hasOneTenant()) {
				requireTenantIsKnown(version);
			}
			else if (version.options().settings().tenancy() == null) {
				requireNoResolver(version);
			}
		}
	}

	private void requireNoResolver(ProjectorEndpoint endpoint) {
		for (TenantResolver resolver : this.tenants.resolvers().get()) {
			throw refused(endpoint, "Its transactions have events of several tenants, but " + resolver.description()
					+ ". Rows of all these tenants would be written under one. Consider"
					+ " eventing.projector.defaults.tenancy = per-transaction, or tenancy = NONE for a projector whose"
					+ " handlers do not use that entity manager factory.");
		}
	}

	private void requireTenantIsKnown(ProjectorEndpoint endpoint) {
		// The rows of a live view are the SDK's own, and carry their tenant: none is
		// hidden.
		if (!endpoint.readModel().resets().isEmpty() && endpoint.readModel().rows() == null) {
			throw refused(endpoint,
					"Each of its transactions has one tenant, but its @ProjectionReset method empties the rows of all"
							+ " tenants, and would meet those of none or one. Consider @Projector(tables = ...).");
		}
		if (this.tenants.listeners().isEmpty()) {
			this.tenants.resolvers().get().forEach((resolver) -> requireAsks(endpoint, resolver));
		}
	}

	/**
	 * Only without listeners, because a listener may pass the tenant to the resolver in a
	 * way that is not seen here.
	 */
	private static void requireAsks(ProjectorEndpoint endpoint, TenantResolver resolver) {
		CurrentTenant.Scope scope = CurrentTenant.open(PROBE);
		try {
			resolver.resolve().run();
		}
		catch (RuntimeException ex) {
			logger.debug("A tenant resolver does not know a tenant that does not exist.", ex);
		}
		finally {
			scope.close();
		}
		if (!scope.isAsked()) {
			throw refused(endpoint, "Each of its transactions has one tenant, but " + resolver.description()
					+ ", and does not ask for the current tenant. Consider CurrentTenant.require() in the resolver, or a"
					+ " bean of type TenantTransactionListener that tells it the tenant before the transaction begins.");
		}
	}

	private static ProjectorStartException refused(ProjectorEndpoint endpoint, String why) {
		return new ProjectorStartException(List.of("Projector '" + endpoint.name() + "' does not start. " + why));
	}

}
