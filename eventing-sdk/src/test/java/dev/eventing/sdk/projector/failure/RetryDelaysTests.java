package dev.eventing.sdk.projector.failure;

import java.time.Duration;
import java.util.stream.IntStream;

import dev.eventing.sdk.projector.ProjectorOptions;
import dev.eventing.sdk.projector.ProjectorSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class RetryDelaysTests {

	private final RetryDelays delays = new RetryDelays(ProjectorOptions.of(ProjectorSettings.NONE));

	@ParameterizedTest
	@CsvSource({ "1, 1000", "2, 2000", "3, 4000", "7, 60000", "1000, 60000" })
	void growExponentiallyUpToTheLongest(int attempts, long millis) {
		for (int round = 0; round < 100; round++) {
			assertThat(this.delays.after(attempts)).isBetween(Duration.ofMillis(millis * 3 / 4),
					Duration.ofMillis(millis * 5 / 4));
		}
	}

	@Test
	void differForEventsThatFailedTogether() {
		assertThat(IntStream.range(0, 50).mapToObj((round) -> this.delays.after(1)).distinct()).hasSizeGreaterThan(5);
	}

}
