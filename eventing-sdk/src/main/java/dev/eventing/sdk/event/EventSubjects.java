package dev.eventing.sdk.event;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.eventing.sdk.event.SubjectTemplate.InvalidSubjectException;
import org.jspecify.annotations.Nullable;

/**
 * Makes the NATS subject of a stored event from a pattern. The pattern may contain
 * {@code {category}} (the stream id up to its first {@code -}), {@code {stream}} (the
 * whole stream id), {@code {tenant}} and {@code {type}}. Immutable.
 */
public final class EventSubjects {

	/** The default pattern. */
	public static final String DEFAULT_PATTERN = "{category}.{tenant}.{type}";

	private static final Pattern PLACEHOLDER = Pattern.compile("\\{(category|stream|tenant|type)\\}");

	/** Makes subjects by the pattern {@value #DEFAULT_PATTERN}. */
	public static final EventSubjects DEFAULT = of(DEFAULT_PATTERN);

	private final String pattern;

	/** Placeholders and the text between them. */
	private final List<Part> parts;

	private EventSubjects(String pattern, List<Part> parts) {
		this.pattern = pattern;
		this.parts = parts;
	}

	/**
	 * Reads a pattern.
	 * @throws InvalidSubjectException if it has a placeholder other than the four, a
	 * wildcard, an empty token or white space
	 */
	public static EventSubjects of(String pattern) {
		List<Part> parts = new ArrayList<>();
		Matcher placeholders = PLACEHOLDER.matcher(pattern);
		int end = 0;
		for (MatchResult found : placeholders.results().toList()) {
			parts.add(new Part(pattern.substring(end, found.start()), null));
			parts.add(new Part("", Placeholder.valueOf(found.group(1).toUpperCase(Locale.ROOT))));
			end = found.end();
		}
		parts.add(new Part(pattern.substring(end), null));
		String sample = PLACEHOLDER.matcher(pattern).replaceAll("x");
		if (sample.contains("{") || sample.contains("}")) {
			throw new InvalidSubjectException(pattern,
					"has a placeholder other than {category}, {stream}, {tenant} and {type}");
		}
		SubjectTemplate.requireConcrete(sample);
		return new EventSubjects(pattern, List.copyOf(parts));
	}

	/** The stream id up to its first {@code -}; all of it if there is none. */
	public static String categoryOf(String streamId) {
		int end = streamId.indexOf('-');
		return (end >= 0) ? streamId.substring(0, end) : streamId;
	}

	/**
	 * The subject of an event. A type with dots takes several tokens. Category and stream
	 * take exactly one token each, so that they cannot move the tenant to another token.
	 * @throws InvalidSubjectException if no event can be published to the subject: the
	 * pattern needs a stream and the event has none, the category or the stream contains
	 * a dot, or the subject has an empty token, white space or a wildcard
	 */
	public String subjectOf(Event<?> event) {
		StringBuilder subject = new StringBuilder();
		for (Part part : this.parts) {
			subject.append((part.placeholder() != null) ? value(part.placeholder(), event) : part.text());
		}
		String made = subject.toString();
		SubjectTemplate.requireConcrete(made);
		return made;
	}

	/**
	 * The narrowest NATS filter that has all subjects of the pattern. A type may have
	 * several tokens, so the filter ends there with {@code >}.
	 */
	public String filter() {
		return filter("*");
	}

	/** As {@link #filter()}, of the events of one category. */
	public String filter(String category) {
		String narrowed = this.pattern.replace("{category}", category);
		int type = narrowed.indexOf("{type}");
		String known = (type >= 0) ? narrowed.substring(0, narrowed.lastIndexOf('.', type) + 1) + ">" : narrowed;
		return Arrays.stream(known.split("\\."))
			.map((token) -> (token.contains("{") || token.contains("*")) ? "*" : token)
			.collect(Collectors.joining("."));
	}

	private String value(Placeholder placeholder, Event<?> event) {
		return switch (placeholder) {
			case TENANT -> event.tenantId().value();
			case TYPE -> event.type();
			case STREAM -> token(streamId(event));
			case CATEGORY -> token(categoryOf(streamId(event)));
		};
	}

	private String streamId(Event<?> event) {
		String streamId = event.streamId();
		if (streamId == null) {
			throw new InvalidSubjectException(this.pattern, "needs a stream, but the event has none");
		}
		return streamId;
	}

	private String token(String value) {
		if (value.isEmpty() || value.indexOf('.') >= 0) {
			throw new InvalidSubjectException(this.pattern,
					"gets " + Quoted.of(value) + " where exactly one token is allowed");
		}
		return value;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof EventSubjects that && that.pattern.equals(this.pattern);
	}

	@Override
	public int hashCode() {
		return this.pattern.hashCode();
	}

	/** The pattern. */
	@Override
	public String toString() {
		return this.pattern;
	}

	private enum Placeholder {

		CATEGORY, STREAM, TENANT, TYPE

	}

	private record Part(String text, @Nullable Placeholder placeholder) {

	}

}
