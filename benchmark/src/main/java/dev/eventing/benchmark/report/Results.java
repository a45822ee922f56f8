package dev.eventing.benchmark.report;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import dev.eventing.benchmark.measure.Case;
import dev.eventing.benchmark.measure.Spread;

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

	/** The figures of one contender in one comparison, if it was there. */
	public Optional<Case> find(String comparison, String contender) {
		return this.cases.stream()
			.filter((each) -> each.comparison().equals(comparison) && each.contender().equals(contender))
			.findFirst();
	}

	/**
	 * The figures of the loop by hand that this contender is compared with, if it was
	 * there.
	 */
	Optional<Case> loopByHand(Case measured) {
		return Optional.ofNullable(measured.loopByHand()).flatMap((loop) -> find(measured.comparison(), loop));
	}

	/**
	 * The median of this figure over that of the loop by hand; empty where there is no
	 * such loop, or the loop has nothing.
	 */
	Optional<Double> besideLoop(Case measured, Function<Case, Spread> figure) {
		return loopByHand(measured)
			.map((loop) -> Ratio.quotient(figure.apply(measured).median(), figure.apply(loop).median()));
	}

}
