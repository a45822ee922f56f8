package dev.eventing.sdk.event;

import java.time.Duration;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class DurationTextTests {

	@ParameterizedTest
	@CsvSource({ "PT0S, 0 ms", "PT0.852S, 852 ms", "PT1S, 1 s", "PT1.549S, 1.5 s", "PT59.999S, 59.9 s", "PT1M, 1 min",
			"PT2M5S, 2 min 5 s", "PT1H, 1 h", "PT1H30M, 1 h 30 min", "P1D, 1 d", "P7DT3H20M, 7 d 3 h" })
	void isWhatPeopleWrite(Duration duration, String text) {
		assertThat(DurationText.of(duration)).isEqualTo(text);
	}

	@ParameterizedTest
	@CsvSource({ "500ms, PT0.5S", "90s, PT1M30S", "30m, PT30M", "2h, PT2H", "7d, P7D", "2w, P14D", "PT1M, PT1M" })
	void isReadAsOperatorsWriteIt(String text, Duration duration) {
		assertThat(DurationText.parse(text)).isEqualTo(duration);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "60", "-1s", "2 h", "soon", "PT-1M", "1234567890s", "PT99999999999999H" })
	void isNoneWhereNobodyWritesItLikeThis(String text) {
		assertThat(DurationText.parse(text)).isNull();
	}

}
