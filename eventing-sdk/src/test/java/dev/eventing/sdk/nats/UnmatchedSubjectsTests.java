package dev.eventing.sdk.nats;

import java.util.List;

import dev.eventing.sdk.nats.UnmatchedSubjects.Unmatched;
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

	@ParameterizedTest
	@CsvSource({ "orders.*.plced, orders.acme.placed", "orders.*.Placed, orders.acme.placed",
			"orders.acme.item-aded, orders.acme.item-added", "orders.*.plced.>, orders.acme.placed.eu",
			"orders.placed, orders.acme.placed", "orders.*.*.placed, orders.acme.placed" })
	void aSubjectIsNearIfATypingErrorOrAMissingTokenExplainsIt(String filter, String subject) {
		assertThat(UnmatchedSubjects.isNear(filter, subject)).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "orders.*.shipped, orders.acme.placed", "orders.*.v2, orders.acme.v1",
			"orders.*.placed-v2, orders.acme.placed-v1", "orders.*.paid, orders.acme.void",
			"orders.*.plced.>, orders.acme.placed", "orders.*.shipped, orders.acme.eu.placed" })
	void aSubjectOfAnotherEventIsNotNear(String filter, String subject) {
		assertThat(UnmatchedSubjects.isNear(filter, subject)).isFalse();
	}

	@Test
	void aSubjectThatAnotherFilterMatchesIsNotTheOneThatWasMeant() {
		List<String> subjects = List.of("orders.acme.opened", "orders.acme.shipped");
		assertThat(UnmatchedSubjects.unmatched("orders.*.skipped", subjects, List.of("orders.*.skipped")))
			.isEqualTo(new Unmatched("orders.*.skipped", "orders.acme.shipped", true));
		assertThat(UnmatchedSubjects.unmatched("orders.*.skipped", subjects,
				List.of("orders.*.skipped", "orders.*.shipped")))
			.isEqualTo(new Unmatched("orders.*.skipped", "orders.acme.opened", false));
	}

}
