package dev.eventing.sdk.deadletter;

import java.time.Instant;
import java.util.List;

import dev.eventing.sdk.event.TenantId;
import org.jspecify.annotations.Nullable;

/**
 * Counts of letters.
 *
 * @param groups by projector, tenant, type, error and status, the largest first
 * @param overTime how many letters came, by interval, oldest first; intervals without
 * letters are there too
 */
public record DeadLetterStats(List<Group> groups, List<Interval> overTime) {

	public DeadLetterStats {
		groups = List.copyOf(groups);
		overTime = List.copyOf(overTime);
	}

	/**
	 * Letters that are alike.
	 *
	 * @param projector the projector's name
	 * @param tenantId the tenant, or null
	 * @param eventType the type on the wire, or null
	 * @param reason why they are dead
	 * @param errorClass the class of their last error, or null
	 * @param status where they stand
	 * @param letters how many
	 * @param dead when the first and the last of them were given up
	 */
	public record Group(String projector, @Nullable TenantId tenantId, @Nullable String eventType, String reason,
			@Nullable String errorClass, DeadLetterStatus status, long letters, Span dead) {
	}

	/**
	 * From the first to the last of some letters.
	 *
	 * @param oldest when the first of them was given up
	 * @param newest when the last of them was given up
	 */
	public record Span(Instant oldest, Instant newest) {
	}

	/**
	 * Letters that came within a time.
	 *
	 * @param from when it begins
	 * @param letters how many were given up in it
	 */
	public record Interval(Instant from, long letters) {
	}

}
