package dev.eventing.sdk.nats;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

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

	@Test
	void widensFiltersThatOverlapUntilNoneDo() {
		assertThat(SubjectFilters.disjoint(List.of("*.deposited", "acme.>", "b.c"))).containsExactly("*.>");
		assertThat(SubjectFilters.disjoint(List.of("a.*.c", "a.b.*", "x.y"))).containsExactlyInAnyOrder("a.*.*", "x.y");
		assertThat(SubjectFilters.disjoint(List.of("a.b", "a.>", "c"))).containsExactlyInAnyOrder("a.>", "c");
		assertThat(SubjectFilters.disjoint(List.of("*.b.c", "a.*.c", "d.b.>", "e"))).containsExactlyInAnyOrder("*.*.>",
				"e");
	}

	@Test
	void widensToWhatCoversBothAndOverlapsWithNothingElse() {
		List<String> tokens = List.of("a", "b", "*");
		Random random = new Random(4711);
		for (int round = 0; round < 5_000; round++) {
			List<String> filters = new ArrayList<>();
			for (int each = 0; each < 1 + random.nextInt(4); each++) {
				List<String> said = new ArrayList<>();
				for (int token = 0; token < 1 + random.nextInt(3); token++) {
					said.add(tokens.get(random.nextInt(tokens.size())));
				}
				filters.add(String.join(".", said) + (random.nextInt(3) == 0 ? ".>" : ""));
			}
			List<String> disjoint = List.copyOf(SubjectFilters.disjoint(filters));
			assertThat(filters).as("%s of %s", disjoint, filters)
				.allMatch((filter) -> disjoint.stream().anyMatch((wide) -> SubjectFilters.covers(wide, filter)));
			for (int one = 0; one < disjoint.size(); one++) {
				for (int other = one + 1; other < disjoint.size(); other++) {
					assertThat(SubjectFilters.overlap(disjoint.get(one), disjoint.get(other))).isFalse();
				}
			}
		}
	}

}
