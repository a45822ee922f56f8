package dev.eventing.sdk.event;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class PercentCodingTests {

	@Test
	void encodesAsTheBindingsExampleDoes() {
		assertThat(PercentCoding.encode("Euro \u20ac \ud83d\ude00")).isEqualTo("Euro%20%E2%82%AC%20%F0%9F%98%80");
	}

	@Test
	void encodesControlCharactersQuotesAndPercentSigns() {
		assertThat(PercentCoding.encode("100%\"\r\n\u007f")).isEqualTo("100%25%22%0D%0A%7F");
	}

	@Test
	void leavesTheOtherPrintableCharactersAlone() {
		StringBuilder plain = new StringBuilder();
		for (char c = '!'; c <= '~'; c++) {
			plain.append((c != '"' && c != '%') ? c : "");
		}
		assertThat(PercentCoding.encode(plain.toString())).isEqualTo(plain.toString());
		assertThat(PercentCoding.decode(plain.toString())).isEqualTo(plain.toString());
	}

	@ParameterizedTest
	@CsvSource({ "a%20b,a b", "%e2%82%ac,\u20ac", "%41,A", "%2541,%41", "\u20ac%20,'\u20ac '" })
	void decodesOnceAndInEitherCase(String encoded, String text) {
		assertThat(PercentCoding.decode(encoded)).isEqualTo(text);
	}

	@ParameterizedTest
	@ValueSource(strings = { "%", "a%2", "%zz", "%%41", "100%", "%+1", "%\u0661\u0662", "%C3", "%C0%A0", "%ED%A0%BD",
			"%FF", "%C3x%A4" })
	void refusesWhatIsNoPercentEncodedUtf8(String encoded) {
		assertThat(PercentCoding.decode(encoded)).isNull();
	}

}
