package dev.eventing.sdk.projector;

import java.time.Duration;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The dead-letter settings of a projector in one place: an annotation, the properties of
 * one projector, or the defaults. Null means that this place does not set the value.
 *
 * @param parking what happens to later events of a dead letter's key
 * @param parkingLimit the most open letters that a key may have; above it, its events
 * wait in place
 * @param redriveFor letters of these exceptions are redriven automatically; empty means
 * none
 * @param redriveDelay the delay before the first automatic redrive; it doubles with each
 * further one, up to an hour
 * @param redriveLimit a letter that has had this many redrives gets no further automatic
 * one
 */
public record DeadLetterSettings(@Nullable Parking parking, @Nullable Integer parkingLimit,
		@Nullable Set<Class<? extends Throwable>> redriveFor, @Nullable Duration redriveDelay,
		@Nullable Integer redriveLimit) {

	/** Sets nothing. */
	public static final DeadLetterSettings NONE = new DeadLetterSettings(null, null, null, null, null);

	/** Replaces {@code INHERIT} by null, because it sets nothing. */
	public DeadLetterSettings {
		parking = (parking != Parking.INHERIT) ? parking : null;
	}

	/** Sets only what happens to later events of a dead letter's key. */
	public static DeadLetterSettings of(Parking parking) {
		return new DeadLetterSettings(parking, null, null, null, null);
	}

	/** Returns these settings. Values that they do not set come from the others. */
	public DeadLetterSettings orElse(DeadLetterSettings those) {
		return new DeadLetterSettings((this.parking != null) ? this.parking : those.parking,
				(this.parkingLimit != null) ? this.parkingLimit : those.parkingLimit,
				(this.redriveFor != null) ? this.redriveFor : those.redriveFor,
				(this.redriveDelay != null) ? this.redriveDelay : those.redriveDelay,
				(this.redriveLimit != null) ? this.redriveLimit : those.redriveLimit);
	}

}
