package dev.eventing.sdk.nats;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class UnmatchedSubjectsTests {

	@ParameterizedTest
	@CsvSource({ "orders.*.plced, orders.>", "shop.orders.*.plced, shop.orders.>", "orders.plced, orders.>",
			"orders.acme.plced, orders.acme.>", "orders.>, orders.>", "orders.*, orders.>" })
	void similarSubjectsBeginAlike(String filter, String similar) {
		assertThat(UnmatchedSubjects.similar(filter)).isEqualTo(similar);
	}

	@Test
	void nothingIsSimilarToAFilterWithoutABeginning() {
		assertThat(UnmatchedSubjects.similar("orders")).isNull();
		assertThat(UnmatchedSubjects.similar("*.orders")).isNull();
		assertThat(UnmatchedSubjects.similar(">")).isNull();
	}

}
