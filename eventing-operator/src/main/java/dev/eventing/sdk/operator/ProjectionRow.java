package dev.eventing.sdk.operator;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A generation of a read model in a list.
 *
 * @param projector the projector, as it fills this generation
 * @param generation the generation; null before a node has begun the first
 * @param request the last request for the read model; null if there was none
 * @param checks the last result of each check on the generation
 */
public record ProjectionRow(ProjectorView projector, @Nullable GenerationView generation, @Nullable RequestView request,
		List<CheckView> checks) {
}
