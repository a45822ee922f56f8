package dev.eventing.soak.fault;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PlanTests {

	private static final int KINDS = FaultKind.values().length;

	@Test
	void isTheSameForTheSameSeed() {
		assertThat(steps(7, 3 * KINDS)).isEqualTo(steps(7, 3 * KINDS)).isNotEqualTo(steps(8, 3 * KINDS));
	}

	@Test
	void hasEachKindBeforeAnyComesAgain() {
		List<FaultKind> kinds = steps(7, 2 * KINDS).stream().map(Step::kind).toList();
		assertThat(kinds.subList(0, KINDS)).containsExactlyInAnyOrder(FaultKind.values());
		assertThat(kinds.subList(KINDS, 2 * KINDS)).containsExactlyInAnyOrder(FaultKind.values());
	}

	@Test
	void leavesWhatItChoosesWithinBounds() {
		List<Step> steps = steps(7, 1000);
		assertThat(steps).allSatisfy((step) -> {
			assertThat(step.millis()).isBetween((long) step.kind().shortest(), (long) step.kind().longest());
			assertThat(step.node()).isBetween(0, 2);
			assertThat(step.calm()).isBetween(500L, 15_000L);
		});
		assertThat(steps).anyMatch(Step::overlapping)
			.anyMatch((step) -> !step.overlapping())
			.anyMatch((step) -> step.calm() == 15_000);
		assertThat(steps).extracting(Step::node).contains(0, 1, 2);
	}

	private static List<Step> steps(long seed, int number) {
		Plan plan = new Plan(seed, EnumSet.allOf(FaultKind.class), 3, 15_000);
		return new ArrayList<>(Stream.generate(plan::next).limit(number).toList());
	}

}
