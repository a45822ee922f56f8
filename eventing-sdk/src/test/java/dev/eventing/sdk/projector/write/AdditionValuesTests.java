package dev.eventing.sdk.projector.write;

import java.math.BigDecimal;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class AdditionValuesTests {

	@ParameterizedTest
	@ValueSource(strings = { "1E1000000000", "-1E131072", "1E-1000000000", "0E1000000000", "9E2147483647" })
	void refusesANumberWhoseDigitsMayNotFitIntoTheMemory(String text) {
		BigDecimal number = new BigDecimal(text);
		assertThatIllegalArgumentException().isThrownBy(() -> AdditionValues.deltas(Map.of("sold", number)))
			.withMessageContaining("The delta of column 'sold' has more than 131072 digits");
		assertThatIllegalArgumentException().isThrownBy(() -> AdditionValues.key(Map.of("item", number)))
			.withMessageContaining("The key of column 'item' has more than 131072 digits");
	}

	@Test
	void takesTheLargestNumberOfANumeric() {
		BigDecimal largest = new BigDecimal("1E131071");
		assertThat(AdditionValues.deltas(Map.of("sold", largest))).containsEntry("sold", largest);
		assertThat(AdditionValues.key(Map.of("item", largest)).get("item")).hasSize(131_072);
		assertThat(AdditionValues.deltas(Map.of("sold", Double.MIN_VALUE))).containsEntry("sold",
				new BigDecimal("4.9E-324"));
	}

}
