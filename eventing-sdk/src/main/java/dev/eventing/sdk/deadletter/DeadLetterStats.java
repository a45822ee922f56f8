package dev.eventing.sdk.deadletter;

import java.time.Instant;
import java.util.List;

import dev.eventing.sdk.event.TenantId;
import org.jspecify.annotations.Nullable;

/**
 * Counts of letters.
 *
 * @param groups by projector, tenant, type, reason, error and status, largest first
 * @param overTime the new letters per interval, oldest first, including intervals without
 * letters
 */
public record DeadLetterStats(List<Group> groups, List<Interval> overTime) {

	public DeadLetterStats {
		groups = List.copyOf(groups);
		overTime = List.copyOf(overTime);
	}

	/**
	 * A group of letters with equal values.
	 *
	 * @param projector the projector's name
	 * @param tenantId the tenant, or null
	 * @param eventType the type on the wire, or null
	 * @param reason why their events are dead letters
	 * @param errorClass the class of their last error, or null
	 * @param status their status
	 * @param letters the number of letters
	 * @param dead when the first and the last of them were given up
	 */
	public record Group(String projector, @Nullable TenantId tenantId, @Nullable String eventType, String reason,
			@Nullable String errorClass, DeadLetterStatus status, long letters, Span dead) {
	}

	/**
	 * The times of the first and the last letter of a group.
	 *
	 * @param oldest when the first of them was given up
	 * @param newest when the last of them was given up
	 */
	public record Span(Instant oldest, Instant newest) {
	}

	/**
	 * The new letters of an interval.
	 *
	 * @param from when the interval begins
	 * @param letters the number of letters that were given up in it
	 */
	public record Interval(Instant from, long letters) {
	}

}
