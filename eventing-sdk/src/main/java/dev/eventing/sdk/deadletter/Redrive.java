package dev.eventing.sdk.deadletter;

import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * The letters of a redrive or of its plan.
 *
 * @param redriveId the id for {@link DeadLetters#progress}; null for a plan, and if no
 * letter matches
 * @param selected the number of parked letters that match the filter
 * @param followers the number of further open letters of the same keys
 * @param byProjector the number of letters by projector, including followers
 */
public record Redrive(@Nullable UUID redriveId, long selected, long followers, Map<String, Long> byProjector) {

	public Redrive {
		byProjector = Map.copyOf(byProjector);
	}

	/** The number of letters, including followers. */
	public long letters() {
		return this.selected + this.followers;
	}

}
