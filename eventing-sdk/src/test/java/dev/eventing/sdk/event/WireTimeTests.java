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
	void saysOfEveryTextWhatInstantSays() {
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
			assertThat(wireTime(text.toString())).as(text.toString()).isEqualTo(instant(text.toString()));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "2026-02-29T12:00:00Z", "2028-02-29T12:00:00Z", "2026-01-31T24:00:00Z",
			"2026-06-30T23:59:60Z", "2026-13-01T12:00:00Z", "2026-01-31T12:60:00Z", "2026-01-31T12:00:00+01:00",
			"+12026-01-31T12:00:00Z", "-2026-01-31T12:00:00Z", "2026-01-31T12:00:00.Z",
			"2026-01-31T12:00:00.1234567890Z", "2026-01-31t12:00:00z", "2026-01-31T12:00Z", "٢٠٢٦-01-31T12:00:00Z", "",
			"Z" })
	void agreesWithInstantAtTheEdges(String text) {
		assertThat(wireTime(text)).isEqualTo(instant(text));
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
