package dev.eventing.sdk.deadletter;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ParkingKeyTests {

	@Test
	void isTheKeyItselfIfItIsShortAscii() {
		assertThat(ParkingKey.of("acme/order 1%")).isEqualTo("acme/order 1%");
		assertThat(ParkingKey.of("x".repeat(ParkingKey.MAX_LENGTH))).hasSize(ParkingKey.MAX_LENGTH);
	}

	@ParameterizedTest
	@ValueSource(strings = { "acme/\u0000", "acme/caf\u00E9", "acme/\uD83D\uDE00", "acme/\uD83D", "acme/\uDE00",
			"acme/\uFFFD", "acme/?" })
	void isStorableInEachEncodingAndTheSameForTheSameKeyOnly(String key) {
		assertThat(ParkingKey.of(key)).isPrintable().isASCII().isEqualTo(ParkingKey.of(new String(key.toCharArray())));
		for (String other : new String[] { "acme/", "acme/\uD83E", "acme/\uFFFE", "acme/\u0001" }) {
			assertThat(ParkingKey.of(key)).isNotEqualTo(ParkingKey.of(other));
		}
	}

	@Test
	void differsForHalvesOfSurrogatePairsThatAnEncodingWouldReplaceByTheSameCharacter() {
		assertThat(ParkingKey.of("a\uD83D")).isNotEqualTo(ParkingKey.of("a\uD83C")).isNotEqualTo(ParkingKey.of("a?"));
	}

	@Test
	void isADigestIfTheKeyIsLong() {
		assertThat(ParkingKey.of("x".repeat(ParkingKey.MAX_LENGTH + 1))).startsWith("sha-256/").hasSize(8 + 64);
	}

}
