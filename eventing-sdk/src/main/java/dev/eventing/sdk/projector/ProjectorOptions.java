package dev.eventing.sdk.projector;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

import dev.eventing.sdk.InvalidOptionsException;
import dev.eventing.sdk.projector.ProjectorSettings.DeadLetters;
import org.jspecify.annotations.Nullable;

/**
 * The effective settings of one projector, from the settings of all places. Values that
 * no place sets are {@link ProjectorSettings#BUILT_IN}.
 *
 * @param settings the settings, of which only the key and the tenancy may be null
 */
public record ProjectorOptions(ProjectorSettings settings) {

	/**
	 * Completes the settings.
	 * @throws InvalidOptionsException with every invalid value
	 */
	public ProjectorOptions {
		settings = settings.orElse(ProjectorSettings.BUILT_IN);
		List<String> problems = problems(settings);
		if (!problems.isEmpty()) {
			throw new InvalidOptionsException("a projector",
					"in code, or by the properties 'eventing.projectors.<name>.*' and 'eventing.projector.defaults.*'",
					problems);
		}
		Parking byOrder = (settings.ordering() == Ordering.NONE) ? Parking.NONE : Parking.KEY;
		settings = settings.orElse(ProjectorSettings.builder().deadLetters(DeadLetters.of(byOrder)).build());
	}

	/**
	 * Creates options from settings.
	 * @throws InvalidOptionsException with every invalid value
	 */
	public static ProjectorOptions of(ProjectorSettings settings) {
		return new ProjectorOptions(settings);
	}

	/**
	 * Returns the value of a setting that has a built-in one, as in
	 * {@code get(ProjectorSettings::batchSize)}.
	 */
	public <T> T get(Function<ProjectorSettings, @Nullable T> setting) {
		return Objects.requireNonNull(setting.apply(this.settings), "The setting has no built-in value.");
	}

	/** Whether each transaction that runs handlers has events of one tenant. */
	public boolean hasOneTenant() {
		return this.settings.tenancy() == Tenancy.PER_TRANSACTION;
	}

	/** What happens to its dead letters. */
	public DeadLetterPolicy deadLetters() {
		return new DeadLetterPolicy(this.settings.deadLetters());
	}

	private static List<String> problems(ProjectorSettings settings) {
		List<String> problems = new ArrayList<>();
		settings.addProblems(problems);
		boolean unordered = settings.ordering() == Ordering.NONE;
		if (unordered && settings.source() != Source.JETSTREAM) {
			problems.add("'ordering' must be PER_KEY if 'source' is " + settings.source()
					+ ", because nodes do not compete there, was " + settings.ordering());
		}
		if (settings.source() == Source.INLINE && settings.tenancy() == Tenancy.PER_TRANSACTION) {
			problems.add("'tenancy' must not be PER_TRANSACTION if 'source' is INLINE, because the transactions are"
					+ " those that append");
		}
		if (unordered && settings.deadLetters().parking() == Parking.KEY) {
			problems.add("'parking' must be NONE if 'ordering' is NONE, because without order no event waits for"
					+ " another, was " + settings.deadLetters().parking());
		}
		settings.deadLetters().addProblems(problems);
		return problems;
	}

}
