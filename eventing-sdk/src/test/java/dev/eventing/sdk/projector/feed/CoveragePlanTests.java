package dev.eventing.sdk.projector.feed;

import java.util.List;
import java.util.Set;

import dev.eventing.sdk.projector.feed.JdbcCoverage.Row;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CoveragePlanTests {

	@Test
	void takesNothingForSettledThatTheStreamHasLost() {
		Row row = Row.covered("orders.*").passed(3L, true).settledTo(20L);
		CoveragePlan plan = CoveragePlan.of("ORDERS", List.of(), List.of(row), 5, 20, Set.of("orders.*"));
		assertThat(plan.endingWith(20)).isEqualTo(plan);
		CoveragePlan cut = plan.endingWith(10);
		assertThat(cut.settledTo()).isEqualTo(10);
		assertThat(cut.from()).isEqualTo(5);
		assertThat(cut.rows()).containsExactly(row.settledTo(10L));
	}

	@Test
	void readsLaterWhatGotTheSequencesOfSkippedEventsThatTheStreamHasLost() {
		Row withdrawn = Row.covered("orders.withdrawn").passed(8L, false);
		Row deposited = Row.covered("orders.deposited").passed(3L, false);
		CoveragePlan plan = CoveragePlan.of("ORDERS", List.of(), List.of(withdrawn, deposited), 5, 0, Set.of());
		assertThat(plan.endingWith(8)).isEqualTo(plan);
		assertThat(plan.endingWith(5).rows()).containsExactly(withdrawn.passed(5L, false), deposited);
	}

}
