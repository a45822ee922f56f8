package dev.eventing.sdk.autoconfigure;

import java.util.List;
import java.util.stream.Collectors;

/** Formats problems for a start-up failure, each on its own line. */
final class ProblemList {

	private ProblemList() {
	}

	static String under(String headline, List<String> problems) {
		return problems.stream()
			.map((problem) -> "%n    - %s".formatted(problem))
			.collect(Collectors.joining("", headline + "%n".formatted(), ""));
	}

}
