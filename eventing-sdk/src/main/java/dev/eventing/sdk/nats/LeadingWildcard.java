package dev.eventing.sdk.nats;

import java.util.Collection;

import org.jspecify.annotations.Nullable;

/**
 * A stream's subject that starts with a wildcard, for example because the tenant is the
 * first token. Newer servers reject it, because it overlaps with the subjects of the
 * JetStream API.
 */
final class LeadingWildcard {

	private LeadingWildcard() {
	}

	/** The first such subject, or null if there is none. */
	static @Nullable String among(Collection<String> subjects) {
		return subjects.stream()
			.filter((subject) -> subject.startsWith("*") || subject.startsWith(">"))
			.findFirst()
			.orElse(null);
	}

	static String problem(String subject) {
		return "'" + subject
				+ "' begins with a wildcard. This server rejects such subjects of streams, because they overlap with the "
				+ "subjects of JetStream itself. Consider the tenant as the second token, " + second(subject)
				+ ", also in the subjects of handlers and relays; or one subject for each tenant, " + listed(subject)
				+ ".";
	}

	private static String second(String subject) {
		String[] tokens = subject.split("\\.", 3);
		boolean movable = tokens[0].equals("*") && tokens.length == 3 && !tokens[1].equals("*");
		return movable ? "'" + tokens[1] + ".*." + tokens[2] + "'" : "as in 'orders.*.placed' or 'orders.>'";
	}

	private static String listed(String subject) {
		return subject.startsWith("*.") ? "such as 'acme" + subject.substring(1) + "'" : "such as 'acme.>'";
	}

}
