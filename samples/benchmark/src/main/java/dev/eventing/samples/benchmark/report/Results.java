package dev.eventing.samples.benchmark.report;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.eventing.samples.benchmark.measure.Case;

/**
 * All that came out of a run.
 *
 * @param machine what it ran on
 * @param versions of what took part
 * @param settings how it was measured
 * @param cases what was measured
 */
public record Results(Map<String, Object> machine, Map<String, Object> versions, Map<String, Object> settings,
		List<Case> cases) {

	public Results {
		cases = List.copyOf(cases);
	}

	/** What one contender did in one comparison, if it was there. */
	public Optional<Case> find(String comparison, String contender) {
		return this.cases.stream()
			.filter((each) -> each.comparison().equals(comparison) && each.contender().equals(contender))
			.findFirst();
	}

}
