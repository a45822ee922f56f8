package dev.eventing.sdk.deadletter;

import java.time.Instant;
import java.util.Set;
import java.util.UUID;

import dev.eventing.sdk.event.TenantId;
import org.jspecify.annotations.Nullable;

/**
 * Which letters are meant: those that fit all that is said. Null, or no ids, says
 * nothing.
 *
 * @param letterIds these letters only; empty for any
 * @param projector of this projector
 * @param tenantId of this tenant
 * @param eventType of this type on the wire
 * @param errorClass whose last error has this class; without a package, one of that name
 * in any package
 * @param orderingKey of this key
 * @param status that stand there
 * @param dead given up in this time
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

	/** These letters and no others. */
	public static DeadLetterFilter of(UUID... letterIds) {
		return new DeadLetterFilter(Set.of(letterIds), null, null, null, null, null, null, TimeRange.ALWAYS);
	}

	/** The same, of these letters only; empty for any. */
	public DeadLetterFilter withLetterIds(Set<UUID> value) {
		return new DeadLetterFilter(value, this.projector, this.tenantId, this.eventType, this.errorClass,
				this.orderingKey, this.status, this.dead);
	}

	/** The same, of this projector only. */
	public DeadLetterFilter withProjector(@Nullable String value) {
		return new DeadLetterFilter(this.letterIds, value, this.tenantId, this.eventType, this.errorClass,
				this.orderingKey, this.status, this.dead);
	}

	/** The same, of this tenant only. */
	public DeadLetterFilter withTenantId(@Nullable TenantId value) {
		return new DeadLetterFilter(this.letterIds, this.projector, value, this.eventType, this.errorClass,
				this.orderingKey, this.status, this.dead);
	}

	/** The same, of this type only. */
	public DeadLetterFilter withEventType(@Nullable String value) {
		return new DeadLetterFilter(this.letterIds, this.projector, this.tenantId, value, this.errorClass,
				this.orderingKey, this.status, this.dead);
	}

	/** The same, with this class of the last error only. */
	public DeadLetterFilter withErrorClass(@Nullable String value) {
		return new DeadLetterFilter(this.letterIds, this.projector, this.tenantId, this.eventType, value,
				this.orderingKey, this.status, this.dead);
	}

	/** The same, of this key only. */
	public DeadLetterFilter withOrderingKey(@Nullable String value) {
		return new DeadLetterFilter(this.letterIds, this.projector, this.tenantId, this.eventType, this.errorClass,
				value, this.status, this.dead);
	}

	/** The same, in this status only. */
	public DeadLetterFilter withStatus(@Nullable DeadLetterStatus value) {
		return new DeadLetterFilter(this.letterIds, this.projector, this.tenantId, this.eventType, this.errorClass,
				this.orderingKey, value, this.dead);
	}

	/** The same, given up from the one time until before the other. */
	public DeadLetterFilter withDead(@Nullable Instant after, @Nullable Instant before) {
		return new DeadLetterFilter(this.letterIds, this.projector, this.tenantId, this.eventType, this.errorClass,
				this.orderingKey, this.status, new TimeRange(after, before));
	}

	/**
	 * From one time to another. Null leaves that end open.
	 *
	 * @param from at this time or later
	 * @param before before this time
	 */
	public record TimeRange(@Nullable Instant from, @Nullable Instant before) {

		/** Any time. */
		public static final TimeRange ALWAYS = new TimeRange(null, null);

	}

}
