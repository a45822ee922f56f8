package dev.eventing.sdk.nats;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import io.nats.client.api.SourceBase;
import io.nats.client.api.StreamConfiguration;
import io.nats.client.api.SubjectTransform;
import org.jspecify.annotations.Nullable;

/**
 * Under which subjects a stream stores what it receives from publishers, from its sources
 * or from the stream that it mirrors. They are patterns like those of filters, but
 * {@code >} may stand anywhere for one or more tokens: some functions of a transform make
 * a number of tokens that depends on the message.
 */
final class StoredSubjects {

	/** Functions that make one token. Any other one may make several. */
	private static final Pattern ONE_TOKEN = Pattern
		.compile("\\{\\{\\s*(?i:wildcard|partition|left|right|random)\\s*\\(.*\\)\\s*}}|\\$\\d+");

	private static final Pattern FUNCTION = Pattern.compile("\\{\\{.*}}");

	private final StreamConfiguration stream;

	/** What arrives, before the stream's own transform. */
	private final List<String> received;

	private StoredSubjects(StreamConfiguration stream, List<String> received) {
		this.stream = stream;
		this.received = received;
	}

	static StoredSubjects of(StreamConfiguration stream) {
		List<String> received = new ArrayList<>(stream.getSubjects());
		SourceBase mirror = stream.getMirror();
		if (mirror != null) {
			received.addAll(from(mirror));
		}
		stream.getSources().forEach((source) -> received.addAll(from(source)));
		return new StoredSubjects(stream, received.isEmpty() ? List.of(">") : received);
	}

	/**
	 * What a source or mirror hands on. Those that have neither a filter nor a transform
	 * hand on all that their origin has.
	 */
	private static List<String> from(SourceBase origin) {
		List<SubjectTransform> transforms = origin.getSubjectTransforms();
		if (transforms == null || transforms.isEmpty()) {
			return List.of(orAll(origin.getFilterSubject()));
		}
		// The sources of the transforms are the filter.
		return transforms.stream().map(StoredSubjects::destination).toList();
	}

	/** Whether others than publishers bring messages. */
	boolean areOfOthersToo() {
		return this.stream.getMirror() != null || !this.stream.getSources().isEmpty();
	}

	/** Whether it may store messages under a subject that fits the filter. */
	boolean mayFit(String filter) {
		SubjectTransform own = this.stream.getSubjectTransform();
		if (own == null || this.stream.getMirror() != null) {
			// Whether a mirror transforms once more depends on the server's version.
			return this.received.stream().anyMatch((subject) -> mayOverlap(subject, filter))
					|| (own != null && mayOverlap(destination(own), filter));
		}
		String source = orAll(own.getSource());
		boolean transformed = mayOverlap(destination(own), filter)
				&& this.received.stream().anyMatch((subject) -> mayOverlap(subject, source));
		return transformed || (!SubjectFilters.covers(source, filter) && this.received.stream()
			.anyMatch((subject) -> mayOverlap(subject, filter) && !SubjectFilters.covers(source, subject)));
	}

	/** They, in the words of an error; with what it makes of them. */
	List<String> described() {
		List<String> described = new ArrayList<>(this.received);
		SubjectTransform own = this.stream.getSubjectTransform();
		if (own != null) {
			described.add(orAll(own.getSource()) + " as " + destination(own));
		}
		return described;
	}

	private static String orAll(@Nullable String filter) {
		return (filter != null && !filter.isEmpty()) ? filter : ">";
	}

	/** A pattern of what a transform makes. Without a destination it is a filter only. */
	private static String destination(SubjectTransform transform) {
		String destination = transform.getDestination();
		if (destination == null || destination.isEmpty()) {
			return orAll(transform.getSource());
		}
		List<String> tokens = new ArrayList<>();
		for (String token : destination.split("\\.", -1)) {
			tokens.add(made(token));
		}
		return String.join(".", tokens);
	}

	private static String made(String token) {
		if (ONE_TOKEN.matcher(token).find()) {
			return "*";
		}
		return FUNCTION.matcher(token).find() ? ">" : token;
	}

	/**
	 * Whether a subject may match both patterns. Looks from the end: each place of the
	 * table holds whether the rests of both from there on have a subject in common.
	 */
	private static boolean mayOverlap(String one, String other) {
		String[] first = one.split("\\.", -1);
		String[] second = other.split("\\.", -1);
		boolean[][] rests = new boolean[first.length + 1][second.length + 1];
		rests[first.length][second.length] = true;
		for (int i = first.length - 1; i >= 0; i--) {
			for (int j = second.length - 1; j >= 0; j--) {
				boolean further = rests[i + 1][j + 1] || (first[i].equals(">") && rests[i][j + 1])
						|| (second[j].equals(">") && rests[i + 1][j]);
				rests[i][j] = further && mayBeEqual(first[i], second[j]);
			}
		}
		return rests[0][0];
	}

	private static boolean mayBeEqual(String token, String other) {
		return isWildcard(token) || isWildcard(other) || token.equals(other);
	}

	private static boolean isWildcard(String token) {
		return token.equals("*") || token.equals(">");
	}

}
