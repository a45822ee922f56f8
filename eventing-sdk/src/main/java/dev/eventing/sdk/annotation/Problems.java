package dev.eventing.sdk.annotation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.InvalidDeclarationException;
import dev.eventing.sdk.InvalidOptionsException;
import org.jspecify.annotations.Nullable;

/** Collects all problems, so that the first start reports all of them. */
final class Problems {

	private final List<String> found = new ArrayList<>();

	void add(String where, String problem) {
		this.found.add(where + ": " + problem);
	}

	/**
	 * Returns the step's result. If the step fails, records its problems and returns
	 * null.
	 */
	<T> @Nullable T attempt(String where, Supplier<T> step) {
		try {
			return step.get();
		}
		catch (InvalidOptionsException ex) {
			ex.problems()
				.forEach(
						(problem) -> add(where, problem + ". Consider changing it in the annotation or the property."));
		}
		catch (EventingException ex) {
			add(where, String.valueOf(ex.getMessage()));
		}
		return null;
	}

	/** Runs a step that has no result, and records its problems. */
	void check(String where, Runnable step) {
		attempt(where, () -> {
			step.run();
			return null;
		});
	}

	void throwIfAny() {
		throwIfAny("The declarations of projectors are not valid:",
				"Change the methods above, or the properties 'eventing.projectors.<name>.*' and "
						+ "'eventing.projector.defaults.*' where they set the value. Each line says what to consider.");
	}

	void throwIfAny(String headline, String action) {
		if (!this.found.isEmpty()) {
			throw new InvalidDeclarationException(headline, action, this.found);
		}
	}

}
