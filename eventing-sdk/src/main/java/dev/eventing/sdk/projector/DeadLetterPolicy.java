package dev.eventing.sdk.projector;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The effective dead-letter options of one projector. {@link DeadLetterSettings}
 * describes each of them.
 */
public record DeadLetterPolicy(Parking parking, int parkingLimit, Set<Class<? extends Throwable>> redriveFor,
		Duration redriveDelay, int redriveLimit) {

	/** The defaults. The default of parking depends on the ordering. */
	static final DeadLetterSettings BUILT_IN = new DeadLetterSettings(null, 1000, Set.of(), Duration.ofMinutes(1), 5);

	private static final Duration LONGEST_DELAY = Duration.ofHours(1);

	static DeadLetterPolicy of(DeadLetterSettings settings, Ordering ordering) {
		DeadLetterSettings all = settings.orElse(BUILT_IN);
		Parking byOrder = (ordering == Ordering.NONE) ? Parking.NONE : Parking.KEY;
		return new DeadLetterPolicy((all.parking() != null) ? all.parking() : byOrder, said(all.parkingLimit()),
				Set.copyOf(said(all.redriveFor())), said(all.redriveDelay()), said(all.redriveLimit()));
	}

	/** Whether later events of a dead letter's key are parked. */
	public boolean parksKeys() {
		return this.parking == Parking.KEY;
	}

	/**
	 * Returns the delay before the automatic redrive of a letter after its handler failed
	 * with this error. Null if there is none.
	 * @param redrives the number of redrives that the letter has had
	 */
	public @Nullable Duration redriveAfter(Throwable error, int redrives) {
		if (redrives >= this.redriveLimit || !isOneOf(error, this.redriveFor)) {
			return null;
		}
		Duration doubled = this.redriveDelay.multipliedBy(1L << Math.min(redrives, 20));
		return (doubled.compareTo(LONGEST_DELAY) < 0) ? doubled : longest();
	}

	/** Whether the failure or one of its causes has one of these types. */
	public static boolean isOneOf(Throwable failure, Set<Class<? extends Throwable>> types) {
		Set<Throwable> seen = new HashSet<>();
		for (Throwable cause = failure; cause != null && seen.add(cause); cause = cause.getCause()) {
			if (isAnyOf(cause, types)) {
				return true;
			}
		}
		return false;
	}

	private static boolean isAnyOf(Throwable cause, Set<Class<? extends Throwable>> types) {
		return types.stream().anyMatch((type) -> type.isInstance(cause));
	}

	private Duration longest() {
		return (this.redriveDelay.compareTo(LONGEST_DELAY) > 0) ? this.redriveDelay : LONGEST_DELAY;
	}

	void addProblems(List<String> problems, Ordering ordering) {
		if (this.parking == Parking.KEY && ordering == Ordering.NONE) {
			problems.add(
					"'parking' must be NONE if 'ordering' is NONE, because without order no event waits for another, was "
							+ this.parking);
		}
		if (this.parkingLimit < 1) {
			problems.add("'parkingLimit' must be at least 1, was " + this.parkingLimit);
		}
		if (this.redriveDelay.isNegative()) {
			problems.add("'redriveDelay' must not be negative, was " + this.redriveDelay);
		}
		if (this.redriveLimit < 0) {
			problems.add("'redriveLimit' must not be negative, was " + this.redriveLimit);
		}
	}

	private static <T> T said(@Nullable T value) {
		return Objects.requireNonNull(value, "BUILT_IN sets everything except the parking");
	}

}
