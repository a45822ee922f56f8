package dev.eventing.sdk.relay;

import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/** What a relay notes while it reads. What it looks up is in {@code G7CategoriesIT}. */
@ExtendWith(OutputCaptureExtension.class)
class UnmetCategoriesTests {

	private final UnmetCategories unmet = new UnmetCategories(
			RelayOptions.named("library").withCategories("loans", "book"), Set.of("loans", "book", "cook"));

	@Test
	void warnOnceOfASimilarCategoryThatComes(CapturedOutput output) {
		this.unmet.saw("loan-17");
		this.unmet.saw("loan-18");
		this.unmet.saw("loan-18");
		assertThat(output).containsOnlyOnce(
				"Relay 'library' publishes category 'loans', of which no event was found in the event store. It has"
						+ " 'loan'. Consider 'loan' in eventing.relays.library.categories.");
		assertThat(output.getOut().lines().filter((line) -> line.contains("WARN"))).hasSize(1);
		assertThat(this.unmet.detail()).isEqualTo("No event of category 'loans' was found in the event store, which has"
				+ " 'loan'. Consider eventing.relays.library.categories.");
	}

	@Test
	void areOnlyNotedWhereNoSimilarCategoryComes(CapturedOutput output) {
		this.unmet.saw("reservation-1");
		this.unmet.saw("reservation-2");
		this.unmet.saw("desk");
		assertThat(output).doesNotContain("WARN")
			.containsOnlyOnce("publishes category 'book', of which no event was found in the event store yet.")
			.containsOnlyOnce("publishes category 'loans', of which no event was found in the event store yet.");
		assertThat(this.unmet.detail()).isEmpty();
	}

	@Test
	void areNotMistakenForThoseThatOtherRelaysDeclare(CapturedOutput output) {
		this.unmet.saw("cook-1");
		assertThat(output).isEmpty();
	}

	@Test
	void areMetWhenTheirFirstEventComes(CapturedOutput output) {
		this.unmet.saw("loan-17");
		this.unmet.saw("loans-1");
		assertThat(this.unmet.detail()).isEmpty();
		this.unmet.saw("book-1");
		this.unmet.saw("boot-1");
		assertThat(output.getOut().lines().filter((line) -> line.contains("WARN"))).hasSize(1);
	}

}
