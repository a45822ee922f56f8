package dev.eventing.sdk.projector.inline;

import java.util.List;
import java.util.stream.Collectors;

import dev.eventing.sdk.event.SubjectTemplate;
import dev.eventing.sdk.projector.HandlerMethod;
import dev.eventing.sdk.projector.ProjectorEndpoint;

/**
 * The events that the handlers of a projector take, whichever node has these handlers.
 *
 * @param all subjects with a type
 */
record InlineTypes(List<Handled> all) {

	/** A line for each subject and type. The space is unambiguous: a subject has none. */
	static String of(ProjectorEndpoint endpoint) {
		return endpoint.handlers()
			.stream()
			.flatMap((handler) -> handler.payloadTypes()
				.keySet()
				.stream()
				.map((type) -> handler.subject().filter() + ' ' + type))
			.distinct()
			.sorted()
			.collect(Collectors.joining("\n"));
	}

	/** Reads the lines. */
	static InlineTypes parse(String lines) {
		return new InlineTypes(lines.lines().map(Handled::parse).toList());
	}

	/** Whether a handler takes the events of a type on a subject. */
	boolean has(String subject, String type) {
		return this.all.stream().anyMatch((each) -> each.isOf(type) && each.subject().matches(subject));
	}

	/**
	 * The events that one handler takes.
	 *
	 * @param subject the subjects
	 * @param type the type of the events, or {@link HandlerMethod#ANY_TYPE}
	 */
	record Handled(SubjectTemplate subject, String type) {

		private static Handled parse(String line) {
			int end = line.indexOf(' ');
			return new Handled(SubjectTemplate.of(line.substring(0, end)), line.substring(end + 1));
		}

		private boolean isOf(String other) {
			return this.type.equals(other) || this.type.equals(HandlerMethod.ANY_TYPE);
		}

	}

}
