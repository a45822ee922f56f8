package dev.eventing.sdk.cli;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class TimesTests {

	private static final Instant NOW = Instant.parse("2026-02-03T04:05:06.789Z");

	@Test
	void readsDurations() {
		assertThat(Times.duration("90s")).isEqualTo(Duration.ofSeconds(90));
		assertThat(Times.duration("30m")).isEqualTo(Duration.ofMinutes(30));
		assertThat(Times.duration("2h")).isEqualTo(Duration.ofHours(2));
		assertThat(Times.duration("7d")).isEqualTo(Duration.ofDays(7));
		assertThat(Times.duration("2w")).isEqualTo(Duration.ofDays(14));
	}

	@Test
	void readsTimesAgoAndPointsInTime() {
		assertThat(Times.instant("2h", NOW)).isEqualTo(NOW.minus(Duration.ofHours(2)));
		assertThat(Times.instant("2026-01-31T13:45:00Z", NOW)).isEqualTo(Instant.parse("2026-01-31T13:45:00Z"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "h", "-2h", "2 h", "2y", "soon", "2026-01-31" })
	void refusesWhatIsNoTime(String text) {
		assertThatExceptionOfType(TypeConversionException.class).isThrownBy(() -> Times.instant(text, NOW))
			.withMessageContaining("'" + text + "'")
			.withMessageContaining("Consider");
		assertThatExceptionOfType(TypeConversionException.class).isThrownBy(() -> Times.duration(text));
	}

	@Test
	void writesWholeSeconds() {
		assertThat(Times.readable(NOW)).isEqualTo("2026-02-03T04:05:06Z");
	}

}
