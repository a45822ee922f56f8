package dev.eventing.sdk.store;

import java.util.Objects;
import java.util.function.Consumer;

import dev.eventing.sdk.event.TenantId;
import org.jspecify.annotations.Nullable;

/**
 * Which events {@link EventVerifier} reads, and what it tells. Immutable.
 *
 * @param from the first position
 * @param tenantId the tenant whose events are verified; null for those of all tenants
 * @param positions how many positions are listed for each type, version and class
 * @param progress called after each page with how far the verification is
 */
public record EventVerificationOptions(long from, @Nullable TenantId tenantId, int positions,
		Consumer<Progress> progress) {

	private static final int POSITIONS = 20;

	public EventVerificationOptions {
		Objects.requireNonNull(progress, "progress");
		if (from < 0 || positions < 1) {
			throw new IllegalArgumentException("Events are verified from position " + from + " on, and " + positions
					+ " positions are listed. Consider a position that is not negative, and at least one in the list.");
		}
	}

	/** All events of all tenants. */
	public static EventVerificationOptions all() {
		return new EventVerificationOptions(0, null, POSITIONS, (progress) -> {
		});
	}

	/** From this position on, such as the last one of an earlier verification. */
	public EventVerificationOptions from(long position) {
		return new EventVerificationOptions(position, this.tenantId, this.positions, this.progress);
	}

	/** Of this tenant only; null for all. */
	public EventVerificationOptions ofTenant(@Nullable TenantId tenantId) {
		return new EventVerificationOptions(this.from, tenantId, this.positions, this.progress);
	}

	/**
	 * With at most this number of positions in the list of each type, version and class.
	 */
	public EventVerificationOptions listing(int positions) {
		return new EventVerificationOptions(this.from, this.tenantId, positions, this.progress);
	}

	/** Tells how far it is, on the thread that verifies. */
	public EventVerificationOptions telling(Consumer<Progress> progress) {
		return new EventVerificationOptions(this.from, this.tenantId, this.positions, progress);
	}

	/**
	 * How far a verification is.
	 *
	 * @param events the number of events that were verified
	 * @param position the position up to which events were read
	 * @param upTo the position at which it will end
	 */
	public record Progress(long events, long position, long upTo) {
	}

}
