package dev.eventing.sdk.annotation.processing;

import java.util.Optional;

import dev.eventing.sdk.event.SubjectTemplate;
import dev.eventing.sdk.event.SubjectTemplate.InvalidSubjectException;
import org.jspecify.annotations.Nullable;

/** Checks a subject that contains no placeholder or expression. */
final class SubjectCheck {

	private SubjectCheck() {
	}

	/**
	 * Returns the problem. Empty if the subject is valid, or only the start-up can check
	 * it.
	 */
	static Optional<String> problem(@Nullable String subject) {
		if (subject == null || subject.contains("${") || subject.contains("#{")) {
			return Optional.empty();
		}
		try {
			SubjectTemplate.of(subject.strip().replace("{type}", "type"));
			return Optional.empty();
		}
		catch (InvalidSubjectException ex) {
			return Optional.ofNullable(ex.getMessage());
		}
	}

}
