package dev.eventing.sdk.relay;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The subject filters that match what a relay publishes. */
final class RelayFilters {

	private RelayFilters() {
	}

	static List<String> of(RelayOptions options) {
		Set<String> categories = options.categories().isEmpty() ? Set.of("*") : options.categories();
		return categories.stream()
			.map((category) -> filter(options.subjects().toString().replace("{category}", category)))
			.distinct()
			.sorted()
			.toList();
	}

	/** A type may have several tokens, so the filter ends there with {@code >}. */
	private static String filter(String pattern) {
		int type = Math.max(pattern.indexOf("{type}"), -1);
		String known = (type >= 0) ? pattern.substring(0, pattern.lastIndexOf('.', type) + 1) + ">" : pattern;
		return Arrays.stream(known.split("\\."))
			.map((token) -> (token.contains("{") || token.contains("*")) ? "*" : token)
			.collect(Collectors.joining("."));
	}

}
