package dev.eventing.sdk.annotation.processing;

import java.util.Optional;

import dev.eventing.sdk.event.SubjectTemplate;
import dev.eventing.sdk.event.SubjectTemplate.InvalidSubjectException;
import org.jspecify.annotations.Nullable;

/** Checks a subject that stands in the source as it will be used. */
final class SubjectCheck {

	private SubjectCheck() {
	}

	/** What is wrong with it; nothing if only the start-up can tell. */
	static Optional<String> problem(@Nullable String subject) {
		if (subject == null || subject.contains("${") || subject.contains("#{")) {
			return Optional.empty();
		}
		try {
			SubjectTemplate.of(subject.strip());
			return Optional.empty();
		}
		catch (InvalidSubjectException ex) {
			return Optional.ofNullable(ex.getMessage());
		}
	}

}
