package dev.eventing.benchmark.harness;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What there is to be measured. Starts nothing. */
public final class Catalogue {

	private Catalogue() {
	}

	/** The names of the comparisons at this scale. */
	public static Set<String> comparisons(Scale scale) {
		return all(scale).stream().map(Comparison::name).collect(Collectors.toCollection(LinkedHashSet::new));
	}

	/** The ids of the contenders at this scale. */
	public static Set<String> contenders(Scale scale) {
		return all(scale).stream()
			.flatMap((comparison) -> comparison.entries().stream())
			.map(Entry::id)
			.collect(Collectors.toCollection(LinkedHashSet::new));
	}

	/** Comparisons and their contenders, for people. */
	public static List<String> lines(Scale scale) {
		List<String> lines = new ArrayList<>();
		for (Comparison comparison : all(scale)) {
			lines.add(comparison.name() + ": " + comparison.title());
			comparison.entries().forEach((entry) -> lines.add("  %-28s %s".formatted(entry.id(), entry.title())));
		}
		return lines;
	}

	private static List<Comparison> all(Scale scale) {
		return Comparisons.all(() -> {
			throw new IllegalStateException("Nothing is measured here.");
		}, scale);
	}

}
