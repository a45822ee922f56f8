package dev.eventing.sdk.event;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Random;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class WireTimeTests {

	/** Beyond what {@link Instant} reads. */
	private static final String ONE_TIME_ONLY = " *[+-]?\\d+-\\d\\d-\\d\\d(T| +)\\d\\d:\\d\\d(:\\d\\d([.]\\d*)?)?"
			+ " *(Z|[+-]\\d\\d(:?\\d\\d){0,2}) *";

	private final Random random = new Random(4711);

	@Test
	void readsEveryTimeThatAnInstantWrites() {
		for (int i = 0; i < 20_000; i++) {
			long second = this.random.nextLong(Instant.parse("0000-01-01T00:00:00Z").getEpochSecond(),
					Instant.parse("9999-12-31T23:59:59Z").getEpochSecond());
			int nanos = switch (i % 4) {
				case 0 -> 0;
				case 1 -> this.random.nextInt(1_000) * 1_000_000;
				case 2 -> this.random.nextInt(1_000_000) * 1_000;
				default -> this.random.nextInt(1_000_000_000);
			};
			Instant time = Instant.ofEpochSecond(second, nanos);
			assertThat(WireTime.parse(time.toString())).isEqualTo(time);
		}
	}

	@Test
	void saysOfEveryTextWhatInstantSaysUnlessItMeansOneTimeOnly() {
		String alphabet = "0123456789-:.TZ+ ";
		for (int i = 0; i < 50_000; i++) {
			StringBuilder text = new StringBuilder("2026-01-31T12:00:00.5Z");
			for (int change = 0; change < 1 + i % 3; change++) {
				int at = this.random.nextInt(text.length());
				char c = alphabet.charAt(this.random.nextInt(alphabet.length()));
				switch (this.random.nextInt(3)) {
					case 0 -> text.setCharAt(at, c);
					case 1 -> text.insert(at, c);
					default -> text.deleteCharAt(at);
				}
			}
			Instant read = wireTime(text.toString());
			if (read == null || instant(text.toString()) != null) {
				assertThat(read).as(text.toString()).isEqualTo(instant(text.toString()));
			}
			else {
				assertThat(text.toString()).matches(ONE_TIME_ONLY);
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "2026-02-29T12:00:00Z", "2028-02-29T12:00:00Z", "2026-01-31T24:00:00Z",
			"2026-06-30T23:59:60Z", "2026-13-01T12:00:00Z", "2026-01-31T12:60:00Z", "2026-01-31T12:00:00+01:00",
			"+12026-01-31T12:00:00Z", "-2026-01-31T12:00:00Z", "2026-01-31T12:00:00.Z",
			"2026-01-31T12:00:00.1234567890Z", "2026-01-31t12:00:00z", "2026-02-30T12:00Z", "٢٠٢٦-01-31T12:00:00Z", "",
			"Z" })
	void agreesWithInstantAtTheEdges(String text) {
		assertThat(wireTime(text)).isEqualTo(instant(text));
	}

	@ParameterizedTest
	@ValueSource(strings = { "2026-01-31T12:00Z", "2026-01-31 12:00:00Z", "2026-01-31 12:00:00 Z",
			"2026-01-31T13:00:00+0100", "2026-01-31T13:00+01", "2026-01-31 10:30:00.000 -0130",
			" 2026-01-31T12:00:00Z ", "2026-01-31 12:00z" })
	void readsWhatMeansOneTimeOnly(String text) {
		assertThat(wireTime(text)).isEqualTo("2026-01-31T12:00:00Z");
	}

	@ParameterizedTest
	@ValueSource(strings = { "2026-01-31T12:00:00", "2026-01-31", "2026-01-31T12Z", "31.1.2026 12:00Z",
			"2026-02-30T12:00+0000", "2026-01-31 25:00Z", "2026-01-31T12:00 CET", "1769860800" })
	void refusesWhatMayMeanSeveralTimes(String text) {
		assertThat(wireTime(text)).isNull();
	}

	private static @Nullable Instant wireTime(String text) {
		try {
			return WireTime.parse(text);
		}
		catch (DateTimeException ex) {
			return null;
		}
	}

	private static @Nullable Instant instant(String text) {
		try {
			return Instant.parse(text);
		}
		catch (DateTimeException ex) {
			return null;
		}
	}

}
