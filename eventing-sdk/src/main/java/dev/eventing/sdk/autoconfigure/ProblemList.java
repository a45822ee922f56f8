package dev.eventing.sdk.autoconfigure;

import java.util.List;
import java.util.stream.Collectors;

/** Problems as a start-up failure shows them: each on a line of its own. */
final class ProblemList {

	private ProblemList() {
	}

	static String under(String headline, List<String> problems) {
		return problems.stream()
			.map((problem) -> "%n    - %s".formatted(problem))
			.collect(Collectors.joining("", headline + "%n".formatted(), ""));
	}

}
