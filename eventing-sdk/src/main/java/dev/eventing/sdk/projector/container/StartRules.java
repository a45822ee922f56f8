package dev.eventing.sdk.projector.container;

import java.util.Collection;
import java.util.List;

import javax.sql.DataSource;

import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.ProjectorStartException;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Refuses projectors whose changes or effects could not be committed as their handlers
 * expect.
 */
final class StartRules {

	private final TenancyRules tenancy;

	private final BypassedPolicies policies;

	private final ProjectorServices services;

	StartRules(ProjectorServices services) {
		this.tenancy = new TenancyRules(services.tenants());
		this.policies = new BypassedPolicies(services.dataSource(), services.schema());
		this.services = services;
	}

	/**
	 * Checks all versions of a projector.
	 * @throws ProjectorStartException with what to change
	 */
	void require(Collection<ProjectorEndpoint> versions) {
		this.tenancy.require(versions);
		if (!this.services.tenants().listeners().isEmpty()
				&& versions.stream().anyMatch((version) -> version.options().hasOneTenant())) {
			this.policies.look();
		}
		versions.forEach((version) -> {
			String refusal = version.effectsRefusal();
			if (refusal == null && version.hasEffects() && !isOneDataSource()) {
				refusal = "its handlers have Effects, but its EventStore appends in the transactions of another DataSource."
						+ " Consider an EventStore of the DataSource with the read model, or no Effects.";
			}
			if (refusal != null) {
				throw new ProjectorStartException(
						List.of("Projector '" + version.name() + "' does not start: " + refusal));
			}
		});
	}

	private boolean isOneDataSource() {
		return target(this.services.store().appends().get().dataSource()) == target(this.services.dataSource());
	}

	private static DataSource target(DataSource given) {
		DataSource next = (given instanceof DelegatingDataSource delegating) ? delegating.getTargetDataSource() : null;
		return (next != null) ? target(next) : given;
	}

}
