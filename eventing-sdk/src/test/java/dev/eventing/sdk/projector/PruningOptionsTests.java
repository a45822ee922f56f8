package dev.eventing.sdk.projector;

import java.time.Duration;

import dev.eventing.sdk.InvalidOptionsException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class PruningOptionsTests {

	@Test
	void keepRowsForAWeekUnlessTold() {
		assertThat(PruningOptions.DEFAULTS.enabled()).isTrue();
		assertThat(PruningOptions.DEFAULTS.retention()).isEqualTo(Duration.ofDays(7));
		assertThat(PruningOptions.NEVER.enabled()).isFalse();
	}

	@Test
	void refuseARetentionThatClocksMayDifferBy() {
		assertThatExceptionOfType(InvalidOptionsException.class)
			.isThrownBy(() -> new PruningOptions(true, Duration.ofMinutes(59), Duration.ofHours(1)))
			.withMessageContaining("PT59M");
		assertThatExceptionOfType(InvalidOptionsException.class)
			.isThrownBy(() -> new PruningOptions(true, Duration.ofHours(1), Duration.ZERO))
			.withMessageContaining("two passes");
	}

}
