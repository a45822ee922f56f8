package dev.eventing.sdk.annotation;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

import dev.eventing.sdk.event.SubjectTemplate;
import dev.eventing.sdk.projector.HandlerMethod;
import org.jspecify.annotations.Nullable;

/** The subjects of a handler, with the events that it takes from each. */
final class HandledSubjects {

	private static final String TYPE = "{type}";

	private HandledSubjects() {
	}

	/**
	 * Returns one subject for each name of the types that the handler takes if the
	 * subject has <code>{type}</code>, with the aliases; else the subject itself.
	 * @param type the events that the handler takes; null if these are not valid
	 * @throws InvalidHandlerException if the subject has <code>{type}</code>, and the
	 * handler takes events of any type
	 * @throws SubjectTemplate.InvalidSubjectException if a subject is not valid
	 */
	static Map<SubjectTemplate, HandledType> of(String subject, @Nullable HandledType type) {
		if (!subject.contains(TYPE)) {
			SubjectTemplate only = SubjectTemplate.of(subject);
			return (type != null) ? Map.of(only, type) : Map.of();
		}
		Map<SubjectTemplate, HandledType> subjects = new LinkedHashMap<>();
		if (type != null) {
			new TreeMap<>(type.payloadTypes()).forEach((name, payload) -> {
				if (name.equals(HandlerMethod.ANY_TYPE)) {
					throw new InvalidHandlerException(
							"its subject \"" + subject + "\" has {type}, but it takes events of any type",
							"a wildcard in place of {type}");
				}
				subjects.put(SubjectTemplate.of(subject.replace(TYPE, name)), new HandledType(Map.of(name, payload)));
			});
		}
		return subjects;
	}

}
