package dev.eventing.sdk.relay;

import java.util.List;
import java.util.Set;

/** The subject filters that match what a relay publishes. */
final class RelayFilters {

	private RelayFilters() {
	}

	static List<String> of(RelayOptions options) {
		Set<String> categories = options.categories().isEmpty() ? Set.of("*") : options.categories();
		return categories.stream().map(options.subjects()::filter).distinct().sorted().toList();
	}

}
