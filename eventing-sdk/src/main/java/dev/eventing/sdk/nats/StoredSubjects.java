package dev.eventing.sdk.nats;

import java.util.ArrayList;
import java.util.List;

import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.SubjectTransform;

/** Under which subjects a stream stores what it receives. */
final class StoredSubjects {

	/** A part of a destination that stands for a part of the source. */
	private static final String MAPPED = "(\\{\\{[^}]*}}|\\$\\d+)";

	private StoredSubjects() {
	}

	/**
	 * Whether they are not all known: a mirror or a stream with sources stores the
	 * subjects of its origins, too.
	 */
	static boolean areOfOthersToo(StreamConfiguration stream) {
		return stream.getSubjects().isEmpty() || !stream.getSources().isEmpty();
	}

	/**
	 * Its subjects; in place of those that it transforms, what it makes of them, with
	 * {@code *} for each part that is taken over.
	 */
	static List<String> of(StreamConfiguration stream) {
		SubjectTransform transform = stream.getSubjectTransform();
		if (transform == null) {
			return stream.getSubjects();
		}
		String source = (transform.getSource() != null && !transform.getSource().isEmpty()) ? transform.getSource()
				: ">";
		List<String> stored = new ArrayList<>();
		for (String subject : stream.getSubjects()) {
			if (!SubjectFilters.covers(source, subject)) {
				stored.add(subject);
			}
			if (SubjectFilters.overlap(source, subject)) {
				stored.add(transform.getDestination().replaceAll("[^.]*" + MAPPED + "[^.]*", "*"));
			}
		}
		return stored.stream().distinct().toList();
	}

}
