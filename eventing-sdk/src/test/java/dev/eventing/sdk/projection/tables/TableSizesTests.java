package dev.eventing.sdk.projection.tables;

import java.util.Locale;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class TableSizesTests {

	@Test
	void writesThreeDigitsOrMore() {
		assertThat(TableSizes.readable(0)).isEqualTo("0 bytes");
		assertThat(TableSizes.readable(1023)).isEqualTo("1,023 bytes");
		assertThat(TableSizes.readable(1536)).isEqualTo("1.5 kB");
		assertThat(TableSizes.readable(500L << 20)).isEqualTo("500 MB");
	}

	@ParameterizedTest
	@ValueSource(strings = { "de-DE", "ar-EG", "fa-IR-u-nu-arabext" })
	void writesTheSameInEachLocale(String tag) {
		Locale before = Locale.getDefault();
		try {
			Locale.setDefault(Locale.forLanguageTag(tag));
			assertThat(TableSizes.readable(1536)).isEqualTo("1.5 kB");
		}
		finally {
			Locale.setDefault(before);
		}
	}

}
