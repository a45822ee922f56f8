package dev.eventing.sdk.deadletter;

import java.time.Instant;
import java.util.Set;
import java.util.UUID;

import dev.eventing.sdk.event.TenantId;
import org.jspecify.annotations.Nullable;

/**
 * Selects letters: those that meet all conditions. Null, or an empty set of ids, is no
 * condition.
 *
 * @param letterIds only these letters; empty for any
 * @param projector only letters of this projector
 * @param tenantId only letters of this tenant
 * @param eventType only events of this type on the wire
 * @param errorClass only letters whose last error has this class; a name without a
 * package matches it in any package
 * @param orderingKey only letters of this key, on which later ones wait
 * @param status only letters with this status
 * @param dead only letters that were given up in this time range
 */
public record DeadLetterFilter(Set<UUID> letterIds, @Nullable String projector, @Nullable TenantId tenantId,
		@Nullable String eventType, @Nullable String errorClass, @Nullable String orderingKey,
		@Nullable DeadLetterStatus status, TimeRange dead) {

	/** All letters. */
	public static final DeadLetterFilter ALL = new DeadLetterFilter(Set.of(), null, null, null, null, null, null,
			TimeRange.ALWAYS);

	public DeadLetterFilter {
		letterIds = Set.copyOf(letterIds);
	}

	/** Selects only these letters. */
	public static DeadLetterFilter of(UUID... letterIds) {
		return new DeadLetterFilter(Set.of(letterIds), null, null, null, null, null, null, TimeRange.ALWAYS);
	}

	/** Returns a copy that selects only these letters; empty for any. */
	public DeadLetterFilter withLetterIds(Set<UUID> value) {
		return new DeadLetterFilter(value, this.projector, this.tenantId, this.eventType, this.errorClass,
				this.orderingKey, this.status, this.dead);
	}

	/** Returns a copy that selects only this projector; null for any. */
	public DeadLetterFilter withProjector(@Nullable String value) {
		return new DeadLetterFilter(this.letterIds, value, this.tenantId, this.eventType, this.errorClass,
				this.orderingKey, this.status, this.dead);
	}

	/** Returns a copy that selects only this tenant; null for any. */
	public DeadLetterFilter withTenantId(@Nullable TenantId value) {
		return new DeadLetterFilter(this.letterIds, this.projector, value, this.eventType, this.errorClass,
				this.orderingKey, this.status, this.dead);
	}

	/** Returns a copy that selects only this event type; null for any. */
	public DeadLetterFilter withEventType(@Nullable String value) {
		return new DeadLetterFilter(this.letterIds, this.projector, this.tenantId, value, this.errorClass,
				this.orderingKey, this.status, this.dead);
	}

	/** Returns a copy that selects only this class of the last error; null for any. */
	public DeadLetterFilter withErrorClass(@Nullable String value) {
		return new DeadLetterFilter(this.letterIds, this.projector, this.tenantId, this.eventType, value,
				this.orderingKey, this.status, this.dead);
	}

	/** Returns a copy that selects only this ordering key; null for any. */
	public DeadLetterFilter withOrderingKey(@Nullable String value) {
		return new DeadLetterFilter(this.letterIds, this.projector, this.tenantId, this.eventType, this.errorClass,
				value, this.status, this.dead);
	}

	/** Returns a copy that selects only this status; null for any. */
	public DeadLetterFilter withStatus(@Nullable DeadLetterStatus value) {
		return new DeadLetterFilter(this.letterIds, this.projector, this.tenantId, this.eventType, this.errorClass,
				this.orderingKey, value, this.dead);
	}

	/**
	 * Returns a copy that selects only letters given up in this time range. Null leaves
	 * an end open.
	 * @param after given up at this time or later
	 * @param before given up before this time
	 */
	public DeadLetterFilter withDead(@Nullable Instant after, @Nullable Instant before) {
		return new DeadLetterFilter(this.letterIds, this.projector, this.tenantId, this.eventType, this.errorClass,
				this.orderingKey, this.status, new TimeRange(after, before));
	}

	/**
	 * A time range. Null leaves an end open.
	 *
	 * @param from at this time or later
	 * @param before before this time
	 */
	public record TimeRange(@Nullable Instant from, @Nullable Instant before) {

		/** Any time. */
		public static final TimeRange ALWAYS = new TimeRange(null, null);

	}

}
