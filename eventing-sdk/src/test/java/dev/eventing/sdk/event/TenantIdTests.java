package dev.eventing.sdk.event;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class TenantIdTests {

	@ParameterizedTest
	@ValueSource(strings = { "a", "acme", "ACME_1-x", "0" })
	void takesLettersDigitsUnderscoreAndHyphen(String value) {
		assertThat(TenantId.of(value).value()).isEqualTo(value);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "a.b", "*", ">", "a b", "a\n", "\u00e4", "\u0661", "a\u0000", "{tenant}" })
	void refusesWhatCouldNotBeOneToken(String value) {
		assertThat(TenantId.isValid(value)).isFalse();
		assertThatExceptionOfType(InvalidTenantIdException.class).isThrownBy(() -> TenantId.of(value));
	}

	@Test
	void endsAtSixtyFourCharacters() {
		assertThat(TenantId.isValid("a".repeat(64))).isTrue();
		assertThat(TenantId.isValid("a".repeat(65))).isFalse();
	}

	@Test
	void showsARefusedValueCutAndWithoutControlCharacters() {
		assertThatExceptionOfType(InvalidTenantIdException.class)
			.isThrownBy(() -> TenantId.of("a\r\nb" + "x".repeat(500)))
			.satisfies((ex) -> assertThat(ex.getMessage()).startsWith("'a\\u000d\\u000ab")
				.contains("...' is no tenant id")
				.hasSizeLessThan(250));
	}

}
