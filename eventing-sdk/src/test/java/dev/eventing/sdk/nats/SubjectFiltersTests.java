package dev.eventing.sdk.nats;

import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SubjectFiltersTests {

	@ParameterizedTest
	@CsvSource({ "a.b, a.b, true", "a.*, a.b, true", "a.>, a.b.c, true", "a.>, a, false", "a.*, a.*, true",
			"a.b, a.*, false", "a.*, a.>, false", "a.>, a.>, true", "a.*.c, a.b.c, true", "a.*, a.b.c, false",
			"a.b.c, a.b, false" })
	void knowsWhetherOneFilterCoversAnother(String outer, String inner, boolean expected) {
		assertThat(SubjectFilters.covers(outer, inner)).isEqualTo(expected);
	}

	@ParameterizedTest
	@CsvSource({ "a.b, a.b, true", "a.*, *.b, true", "*.user.>, acme.>, true", "orders.>, order.*, false",
			"a.b, a, false", "a.>, a, false", "a.b.c, a.*, false", "a.>, *.b.c, true" })
	void knowsWhetherTwoFiltersShareASubject(String one, String other, boolean expected) {
		assertThat(SubjectFilters.overlap(one, other)).isEqualTo(expected);
		assertThat(SubjectFilters.overlap(other, one)).isEqualTo(expected);
	}

	@Test
	void leavesOutFiltersThatAnotherCovers() {
		assertThat(SubjectFilters.minimal(List.of("a.b", "a.>", "c.*", "c.d", "e"))).containsExactly("a.>", "c.*", "e");
	}

}
