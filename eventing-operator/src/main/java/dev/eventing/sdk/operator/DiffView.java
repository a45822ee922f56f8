package dev.eventing.sdk.operator;

import java.util.List;

import dev.eventing.sdk.projection.GenerationDiff;
import dev.eventing.sdk.projection.GenerationDiff.TableDiff;
import org.jspecify.annotations.Nullable;

/**
 * How two generations of a read model differ; see {@link GenerationDiff}.
 *
 * @param projector the projector's name
 * @param dryRun whether nothing was compared
 * @param result what was stored; null for a dry run
 * @param tables what was compared; empty without an answer
 */
public record DiffView(String projector, boolean dryRun, @Nullable CheckView result, List<TableDiff> tables) {
}
