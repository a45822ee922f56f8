package dev.eventing.sdk.operator;

import java.util.List;

import dev.eventing.sdk.projection.GenerationDiff;
import dev.eventing.sdk.projection.GenerationDiff.TableDiff;
import dev.eventing.sdk.projection.ProjectionGeneration;
import dev.eventing.sdk.projection.ProjectionGeneration.Status;
import org.jspecify.annotations.Nullable;

/**
 * How two generations of a read model differ; see {@link GenerationDiff}.
 *
 * @param projector the projector's name
 * @param dryRun whether nothing was compared
 * @param generation the number of the generation that is compared with the live one; null
 * if there is none
 * @param result what was stored; null for a dry run
 * @param tables what was compared; empty without an answer
 */
public record DiffView(String projector, boolean dryRun, @Nullable Integer generation, @Nullable CheckView result,
		List<TableDiff> tables) {

	/** The view of a comparison. */
	public static DiffView of(GenerationDiff diff) {
		return new DiffView(diff.result().projector(), false, diff.result().run().generation(),
				CheckView.of(diff.result(), null), diff.tables());
	}

	/**
	 * The view of a dry run.
	 * @param generations the generations of the projector's read model
	 */
	public static DiffView planned(String projector, List<ProjectionGeneration> generations) {
		Integer beside = generations.stream()
			.filter((each) -> each.status() == Status.READY || each.status() == Status.STANDBY)
			.map(ProjectionGeneration::generation)
			.findFirst()
			.orElse(null);
		return new DiffView(projector, true, beside, null, List.of());
	}

}
