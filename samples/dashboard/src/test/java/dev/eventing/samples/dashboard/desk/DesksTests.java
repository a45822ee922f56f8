package dev.eventing.samples.dashboard.desk;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DesksTests {

	@Test
	void spreadsTheRateOverDesksAndRounds() {
		assertThat(Desks.eventsPerRound(400, 8)).as("five rounds a second").isEqualTo(10);
		assertThat(Desks.eventsPerRound(1, 8)).as("at least one").isEqualTo(1);
	}

}
