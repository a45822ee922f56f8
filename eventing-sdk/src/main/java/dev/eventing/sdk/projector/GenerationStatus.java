package dev.eventing.sdk.projector;

import dev.eventing.sdk.projection.Behind;
import dev.eventing.sdk.projection.ProjectionGeneration;
import org.jspecify.annotations.Nullable;

/**
 * A generation of a read model that stands beside the live one.
 *
 * @param projector the projector's name
 * @param generation its number
 * @param status its status, as of some seconds ago
 * @param failure why it cannot go on, or null
 * @param here its status on this node, under the name of the generation; null if this
 * node does not feed it
 * @param behind how far it lags, as far as this node knows
 */
public record GenerationStatus(String projector, int generation, ProjectionGeneration.Status status,
		@Nullable String failure, @Nullable ProjectorStatus here, Behind behind) {
}
