package dev.eventing.sdk.projector.container;

import java.util.Collection;
import java.util.List;

import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.ProjectorStartException;

/**
 * Refuses projectors whose effects could not be committed together with their events.
 */
final class EffectRules {

	private final ProjectorServices services;

	EffectRules(ProjectorServices services) {
		this.services = services;
	}

	/**
	 * Checks all versions of a projector.
	 * @throws ProjectorStartException with what to change
	 */
	void require(Collection<ProjectorEndpoint> versions) {
		for (ProjectorEndpoint version : versions) {
			String refusal = version.effectsRefusal();
			if (refusal == null && version.hasEffects()
					&& !this.services.store().appends().get().isIn(this.services.dataSource())) {
				refusal = "its handlers have Effects, but its EventStore appends in the transactions of another DataSource."
						+ " Consider an EventStore of the DataSource with the read model, or no Effects.";
			}
			if (refusal != null) {
				throw new ProjectorStartException(
						List.of("Projector '" + version.name() + "' does not start: " + refusal));
			}
		}
	}

}
