package dev.eventing.sdk.operator;

import dev.eventing.sdk.projection.ProjectorOverview;
import org.jspecify.annotations.Nullable;

/**
 * How far a projector lags; see {@link ProjectorOverview}.
 *
 * @param name its name
 * @param generation the number of the generation of its read model
 * @param status its state
 * @param behindEvents the events that it has not read; null if that is not known
 * @param behindSeconds how long the oldest of them has waited; null if that is not known
 * @param tooMuch whether it lags more than it may, or may do so because the lag is not
 * known
 */
public record LagView(String name, int generation, String status, @Nullable Long behindEvents,
		@Nullable Double behindSeconds, boolean tooMuch) {

	/** The lag of a projector, compared with limits before. */
	public static LagView of(ProjectorOverview overview, boolean tooMuch) {
		ProjectorView view = ProjectorView.of(overview);
		return new LagView(view.name(), view.generation(), view.status(), view.behindEvents(), view.behindSeconds(),
				tooMuch);
	}

}
