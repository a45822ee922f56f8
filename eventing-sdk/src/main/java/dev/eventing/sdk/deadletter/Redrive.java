package dev.eventing.sdk.deadletter;

import java.util.Map;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * What a redrive, or a plan of one, is about.
 *
 * @param redriveId what to follow its progress by; null for a plan, and where no letter
 * fits
 * @param selected how many parked letters fit the filter
 * @param followers how many open letters of the same keys go with them
 * @param byProjector how many letters, followers included, of which projector
 */
public record Redrive(@Nullable UUID redriveId, long selected, long followers, Map<String, Long> byProjector) {

	public Redrive {
		byProjector = Map.copyOf(byProjector);
	}

	/** How many letters in all. */
	public long letters() {
		return this.selected + this.followers;
	}

}
