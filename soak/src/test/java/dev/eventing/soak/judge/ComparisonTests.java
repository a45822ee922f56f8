package dev.eventing.soak.judge;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ComparisonTests {

	@Test
	void findsNothingWhereEachEventWasAppliedOnce() {
		assertThat(differences(new ReadModels.Row(7, 7, 7))).isEmpty();
	}

	@Test
	void findsWhatIsMissing() {
		assertThat(differences(new ReadModels.Row(6, 6, 7))).containsExactly("orders lacks 1 of 7 events of a");
		assertThat(new Comparison("orders", Map.of("a", 7L), Map.of())).satisfies((comparison) -> {
			List<String> found = new ArrayList<>();
			comparison.addTo(found);
			assertThat(found).containsExactly("orders lacks 7 of 7 events of a");
		});
	}

	@Test
	void findsWhatWasAppliedTwiceThoughTheNumberIsRight() {
		assertThat(differences(new ReadModels.Row(7, 6, 7))).containsExactly("orders lacks 1 of 7 events of a",
				"orders applied 1 events of a again");
	}

	@Test
	void findsWhatWasNeverSent() {
		assertThat(differences(new ReadModels.Row(8, 8, 8)))
			.containsExactly("orders applied version 8 of a, of which there are 7");
	}

	@Test
	void showsTheFirstFewOfMany() {
		Map<String, Long> sent = Map.of("a", 1L, "b", 1L, "c", 1L, "d", 1L, "e", 1L, "f", 1L);
		List<String> found = new ArrayList<>();
		new Comparison("orders", sent, Map.of()).addTo(found);
		assertThat(found).hasSize(5).last().isEqualTo("orders differs in 2 more ways");
	}

	private static List<String> differences(ReadModels.Row row) {
		List<String> found = new ArrayList<>();
		new Comparison("orders", Map.of("a", 7L), Map.of("a", row)).addTo(found);
		return found;
	}

}
