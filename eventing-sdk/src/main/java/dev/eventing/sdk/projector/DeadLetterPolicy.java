package dev.eventing.sdk.projector;

import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

import dev.eventing.sdk.jdbc.Causes;
import dev.eventing.sdk.projector.ProjectorSettings.DeadLetters;
import org.jspecify.annotations.Nullable;

/**
 * What happens to the dead letters of one projector.
 *
 * @param settings the effective settings, none of them null
 */
public record DeadLetterPolicy(DeadLetters settings) {

	private static final Duration LONGEST_DELAY = Duration.ofHours(1);

	/**
	 * Returns the value of a setting, as in {@code get(DeadLetters::parkingLimit)}.
	 */
	public <T> T get(Function<DeadLetters, @Nullable T> setting) {
		return Objects.requireNonNull(setting.apply(this.settings), "The setting has no built-in value.");
	}

	/** Whether later events of a dead letter's key are parked. */
	public boolean parksKeys() {
		return this.settings.parking() == Parking.KEY;
	}

	/**
	 * Returns the delay before the automatic redrive of a letter after its handler failed
	 * with this error. Null if there is none.
	 * @param redrives the number of redrives that the letter has had
	 */
	public @Nullable Duration redriveAfter(Throwable error, int redrives) {
		if (redrives >= get(DeadLetters::redriveLimit) || !isOneOf(error, get(DeadLetters::redriveFor))) {
			return null;
		}
		Duration delay = get(DeadLetters::redriveDelay);
		Duration doubled = delay.multipliedBy(1L << Math.min(redrives, 20));
		if (doubled.compareTo(LONGEST_DELAY) < 0) {
			return doubled;
		}
		return (delay.compareTo(LONGEST_DELAY) > 0) ? delay : LONGEST_DELAY;
	}

	/** Whether the failure or one of its causes has one of these types. */
	public static boolean isOneOf(Throwable failure, Set<Class<? extends Throwable>> types) {
		return Causes.of(failure).stream().anyMatch((cause) -> isAnyOf(cause, types));
	}

	private static boolean isAnyOf(Throwable cause, Set<Class<? extends Throwable>> types) {
		return types.stream().anyMatch((type) -> type.isInstance(cause));
	}

}
