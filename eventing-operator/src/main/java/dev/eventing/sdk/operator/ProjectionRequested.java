package dev.eventing.sdk.operator;

import java.util.List;
import java.util.Map;

import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.RequestPlan;
import org.jspecify.annotations.Nullable;

/**
 * The result of a change of a projector's read model. Only a dry run looks for obstacles,
 * notes, sizes and free space.
 *
 * @param projector the projector's name
 * @param dryRun whether nothing was requested
 * @param attended whether a node runs the projector, or stands by; otherwise the request
 * waits for one until it expires
 * @param obstacles what is known to stand in the way of a request that was only planned
 * @param notes more that an operator should know before, a sentence each
 * @param tables the bytes of each live table with its indexes
 * @param free the bytes that are free on the disk; null if the request takes no space, or
 * if that is not known
 * @param request the request; null for a dry run
 */
public record ProjectionRequested(String projector, boolean dryRun, boolean attended, List<String> obstacles,
		List<String> notes, Map<String, Long> tables, @Nullable Long free, @Nullable RequestView request) {

	/** The result of a request that is stored. */
	public static ProjectionRequested of(ProjectionRequest request, boolean attended) {
		return new ProjectionRequested(request.projection(), false, attended, List.of(), List.of(), Map.of(), null,
				RequestView.of(request));
	}

	/** The result of a dry run. */
	public static ProjectionRequested planned(String projector, boolean attended, RequestPlan plan) {
		return new ProjectionRequested(projector, true, attended, plan.obstacles(), plan.notes(), plan.tables(),
				plan.free(), null);
	}

}
