package dev.eventing.sdk.jdbc;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class StatementBoundTests {

	@ParameterizedTest
	@ValueSource(longs = { 1, 250, 500, 999, 1000, 2500, 60_000 })
	void endsWithinWhatALeaseHasLeftAndNeverMeansForEver(long millis) {
		StatementBound bound = StatementBound.within(Duration.ofMillis(millis));
		assertThat(bound.networkMillis()).isEqualTo((int) millis);
		assertThat(bound.queryMillis()).isPositive().isLessThanOrEqualTo(bound.networkMillis());
	}

	@Test
	void hasTimeToComeBackAfterItWasCancelled() {
		assertThat(StatementBound.of(Duration.ofSeconds(10))).isEqualTo(new StatementBound(10_000, 10_500));
		assertThat(StatementBound.within(Duration.ofMillis(2500))).isEqualTo(new StatementBound(2000, 2500));
		assertThat(StatementBound.within(Duration.ofMillis(400))).isEqualTo(new StatementBound(300, 400));
	}

	@Test
	void isNeverForEver() {
		assertThat(StatementBound.within(Duration.ZERO)).isEqualTo(new StatementBound(1, 1));
		assertThat(StatementBound.of(Duration.ofDays(10_000)).networkMillis()).isPositive();
	}

}
