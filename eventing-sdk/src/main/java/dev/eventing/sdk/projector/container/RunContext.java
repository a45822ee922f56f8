package dev.eventing.sdk.projector.container;

import java.util.List;

import dev.eventing.sdk.projection.ledger.Filling;
import dev.eventing.sdk.projector.HandlerMode;
import dev.eventing.sdk.projector.backfill.Backfill;
import dev.eventing.sdk.projector.transaction.ProjectorLease;
import dev.eventing.sdk.projector.transaction.TransactionStep;
import org.jspecify.annotations.Nullable;

/**
 * The context of a projector's run, from a start to a stop.
 *
 * @param lease this node's right to run it
 * @param filling the generation of its read model that it fills; null if it continues
 * after its position
 * @param backfill what it applies beside the live feed; null if there is none
 * @param hasDueEffects whether a switch has left effects for it to append
 * @param onFilled called when that generation is filled
 * @param steps the steps of its transactions, after the steps that every projector has
 */
record RunContext(ProjectorLease lease, @Nullable Filling filling, @Nullable Backfill backfill, boolean hasDueEffects,
		Runnable onFilled, List<TransactionStep> steps) {

	/** Why lanes call handlers. A redrive of the same run has another mode. */
	HandlerMode mode() {
		return (this.filling != null) ? HandlerMode.BUILD : HandlerMode.LIVE;
	}

	/** The context of a live generation. */
	static RunContext live(ProjectorLease lease, @Nullable Filling filling, @Nullable Backfill backfill,
			boolean hasDueEffects, Runnable onFilled) {
		return new RunContext(lease, filling, backfill, hasDueEffects, onFilled, List.of());
	}

}
