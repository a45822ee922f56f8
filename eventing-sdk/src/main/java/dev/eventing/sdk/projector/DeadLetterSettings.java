package dev.eventing.sdk.projector;

import java.time.Duration;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * What one place says about a projector's dead letters. Null means that this place says
 * nothing.
 *
 * @param parking what becomes of later events of a dead letter's key
 * @param parkingLimit how many open letters a key may have before its events wait instead
 * @param redriveFor letters of these exceptions are redriven without being asked for;
 * empty means none
 * @param redriveDelay the delay before the first of these redrives; doubles with each, up
 * to an hour
 * @param redriveLimit how many redrives a letter may have had to get another one by
 * itself
 */
public record DeadLetterSettings(@Nullable Parking parking, @Nullable Integer parkingLimit,
		@Nullable Set<Class<? extends Throwable>> redriveFor, @Nullable Duration redriveDelay,
		@Nullable Integer redriveLimit) {

	/** Says nothing. */
	public static final DeadLetterSettings NONE = new DeadLetterSettings(null, null, null, null, null);

	/** An {@code INHERIT} says nothing, so it is null. */
	public DeadLetterSettings {
		parking = (parking != Parking.INHERIT) ? parking : null;
	}

	/** Says only what becomes of later events of a dead letter's key. */
	public static DeadLetterSettings of(Parking parking) {
		return new DeadLetterSettings(parking, null, null, null, null);
	}

	/** These settings, and where they say nothing, those. */
	public DeadLetterSettings orElse(DeadLetterSettings those) {
		return new DeadLetterSettings((this.parking != null) ? this.parking : those.parking,
				(this.parkingLimit != null) ? this.parkingLimit : those.parkingLimit,
				(this.redriveFor != null) ? this.redriveFor : those.redriveFor,
				(this.redriveDelay != null) ? this.redriveDelay : those.redriveDelay,
				(this.redriveLimit != null) ? this.redriveLimit : those.redriveLimit);
	}

}
