package dev.eventing.sdk.observability;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.CountingMode;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class GenerationMetricsTests {

	private static final Duration STEP = Duration.ofMinutes(1);

	private final GenerationMetrics.Total total = new GenerationMetrics.Total();

	private final AtomicReference<Optional<GenerationMetrics.Count>> present = new AtomicReference<>(Optional.empty());

	@Test
	void countersGoOnWithTheNextGeneration() {
		assertThat(total(1, 3)).isEqualTo(3);
		assertThat(total(1, 5)).isEqualTo(5);
		assertThat(this.total.with(Optional::empty)).isEqualTo(5);
		assertThat(total(1, 6)).isEqualTo(6);
		assertThat(total(2, 9)).isEqualTo(15);
		assertThat(total(2, 1)).as("fed again").isEqualTo(16);
	}

	@Test
	void aRegistryOfStepsCountsNothingWhenAGenerationEnds() {
		MockClock clock = new MockClock();
		SimpleMeterRegistry steps = new SimpleMeterRegistry(new Steps(), clock);
		FunctionCounter counter = FunctionCounter.builder("events", this.present, (now) -> this.total.with(now::get))
			.register(steps);
		this.present.set(Optional.of(new GenerationMetrics.Count(1, 5)));
		assertThat(countOfStep(counter, clock)).isEqualTo(5);
		this.present.set(Optional.empty());
		assertThat(countOfStep(counter, clock)).isZero();
		this.present.set(Optional.of(new GenerationMetrics.Count(2, 2)));
		assertThat(countOfStep(counter, clock)).isEqualTo(2);
	}

	private double total(int generation, double value) {
		return this.total.with(() -> Optional.of(new GenerationMetrics.Count(generation, value)));
	}

	private static double countOfStep(FunctionCounter counter, MockClock clock) {
		counter.count();
		clock.add(STEP);
		return counter.count();
	}

	private static final class Steps implements SimpleConfig {

		@Override
		public @Nullable String get(String key) {
			return null;
		}

		@Override
		public CountingMode mode() {
			return CountingMode.STEP;
		}

		@Override
		public Duration step() {
			return STEP;
		}

	}

}
