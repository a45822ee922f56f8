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

	/** Whether it stores messages under a subject that fits the filter. */
	static boolean fit(StreamConfiguration stream, String filter) {
		SubjectTransform transform = stream.getSubjectTransform();
		boolean received = stream.getSubjects().stream().anyMatch((subject) -> SubjectFilters.overlap(subject, filter));
		if (transform == null) {
			return received;
		}
		return SubjectFilters.overlap(destination(transform), filter)
				|| (received && !SubjectFilters.covers(source(transform), filter));
	}

	/** Its subjects, in the words of an error; with what it makes of them. */
	static List<String> of(StreamConfiguration stream) {
		List<String> stored = new ArrayList<>(stream.getSubjects());
		SubjectTransform transform = stream.getSubjectTransform();
		if (transform != null) {
			stored.add(source(transform) + " as " + destination(transform));
		}
		return stored;
	}

	private static String source(SubjectTransform transform) {
		String source = transform.getSource();
		return (source != null && !source.isEmpty()) ? source : ">";
	}

	/** With {@code *} for each part that is taken over from the source. */
	private static String destination(SubjectTransform transform) {
		return transform.getDestination().replaceAll("[^.]*" + MAPPED + "[^.]*", "*");
	}

}
