package dev.eventing.sdk.event;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class NearestNameTests {

	@ParameterizedTest
	@CsvSource({ "plced, placed", "Placed, placed", "item-aded, item-added", "order, orders",
			"item_added, item-added" })
	void aFewOtherCharactersOfALongNameAreATypingError(String written, String known) {
		assertThat(NearestName.isMisspelt(written, known)).isTrue();
		assertThat(NearestName.isMisspelt(known, written)).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "placed, placed", "placed, shipped", "paid, void", "v1, v2", "placed-v1, placed-v2",
			"placed1, placed12", "eu, us" })
	void theSameNameAShortOneAndThatOfAnotherVersionAreNone(String written, String known) {
		assertThat(NearestName.isMisspelt(written, known)).isFalse();
		assertThat(NearestName.isMisspelt(known, written)).isFalse();
	}

}
