package dev.eventing.sdk.projector.delivery;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class DoubtsTests {

	private final Doubts doubts = new Doubts();

	/** So that a lock which is held for some seconds costs no attempt. */
	@Test
	void lastsSixSecondsWhereAnEventFailsAtOnce() {
		assertThat(failed(0)).isEqualTo(Duration.ofMillis(500));
		assertThat(failed(500)).isEqualTo(Duration.ofSeconds(1));
		assertThat(failed(1500)).isEqualTo(Duration.ofSeconds(2));
		assertThat(failed(3500)).isEqualTo(Duration.ofMillis(2500));
		assertThat(failed(6000)).isNull();
		assertThat(failed(6001)).isNull();
	}

	@Test
	void allowsTwoFurtherRunsThatTakeLong() {
		assertThat(failed(0)).isNotNull();
		assertThat(failed(30_000)).isNotNull();
		assertThat(failed(60_000)).isNull();
	}

	@Test
	void beginsAnewAfterAnOutage() {
		failed(0);
		failed(5000);
		this.doubts.clear();
		assertThat(failed(60_000)).isEqualTo(Duration.ofMillis(500));
		assertThat(failed(65_999)).isNotNull();
		assertThat(failed(66_000)).isNull();
	}

	private @Nullable Duration failed(long millis) {
		return this.doubts.failed(Duration.ofMillis(millis).toNanos());
	}

}
