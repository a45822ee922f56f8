package dev.eventing.benchmark.measure;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class StatisticsTests {

	@Test
	void theMedianOfOddlyManyIsTheOneInTheMiddle() {
		assertThat(Spread.of(9, 1, 5)).isEqualTo(new Spread(5, 1, 9));
	}

	@Test
	void theMedianOfEvenlyManyLiesBetweenTheTwoInTheMiddle() {
		assertThat(Spread.of(8, 2, 4, 100)).isEqualTo(new Spread(6, 2, 100));
	}

	@Test
	void nothingHasNoSpread() {
		assertThatIllegalArgumentException().isThrownBy(Spread::of).withMessageContaining("Consider");
	}

	@Test
	void percentilesAreValuesThatWereMeasured() {
		long[] nanos = new long[200];
		for (int i = 0; i < nanos.length; i++) {
			nanos[i] = (200 - i) * 1_000_000L;
		}
		assertThat(Latencies.ofNanos(nanos, Duration.ofMillis(7))).isEqualTo(new Latencies(100, 198, 7));
	}

	@Test
	void theLatencyOfOneEventIsEveryPercentile() {
		assertThat(Latencies.ofNanos(new long[] { 3_000_000 }, Duration.ZERO)).isEqualTo(new Latencies(3, 3, 0));
	}

	@Test
	void speedIsOfTheClockNotOfTheProcessors() {
		Measurement measurement = new Measurement(1_000, new Usage(2, 4, 1, 1, 5), null);
		assertThat(measurement.eventsPerSecond()).isEqualTo(500);
	}

	@Test
	void processorTimeIsOfEachEvent() {
		Measurement measurement = new Measurement(1_000, new Usage(2, 4, 1, 1, 5), null);
		assertThat(measurement.cpuMicrosPerEvent()).isEqualTo(4_000);
		assertThat(measurement.serverCpuMicrosPerEvent()).isEqualTo(1_000);
	}

	@Test
	void theCompilersShareIsOfTheProcessorTimeOfTheJvm() {
		assertThat(new Measurement(1_000, new Usage(2, 4, 1, 1, 5), null).compilersShare()).isEqualTo(0.25);
		assertThat(new Measurement(1_000, new Usage(2, 4, 5, 1, 5), null).compilersShare())
			.as("they waited for a processor")
			.isOne();
	}

}
