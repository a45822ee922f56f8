package dev.eventing.sdk.operator;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.eventing.sdk.projection.ReconciliationResult;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CheckViewTests {

	@Test
	void keepsTheDigitsOfNumbersInTheRows() {
		CheckView view = CheckView.of(
				new ReconciliationResult("totals", "accounts",
						new ReconciliationResult.Run(Instant.EPOCH, Duration.ZERO, "anna", null),
						new ReconciliationResult.Answer(1, 1, List.of("{\"total\":12345678901234567.890}")), null),
				null);
		assertThat(view.sample()).singleElement()
			.extracting((row) -> row.path("total").decimalValue())
			.isEqualTo(new BigDecimal("12345678901234567.890"));
	}

}
