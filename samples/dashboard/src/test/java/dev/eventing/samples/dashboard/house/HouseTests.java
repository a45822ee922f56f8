package dev.eventing.samples.dashboard.house;

import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class HouseTests {

	@Test
	void haveKeysInCommonAndNoTitles() {
		assertThat(House.HARBOUR.keys()).as("so that the tenant alone keeps them apart")
			.containsAnyElementsOf(House.SUMMIT.keys());
		assertThat(House.ALL.stream()
			.flatMap((house) -> Stream.concat(Stream.of(house.title()),
					house.resources().stream().map(Resource::title))))
			.doesNotHaveDuplicates();
	}

	@Test
	void areNobodysUnlessSomebodyWorksThere() {
		assertThat(House.of(null)).isEmpty();
		assertThat(House.of(() -> "eve")).isEmpty();
		assertThat(House.of(() -> "ada")).contains(House.HARBOUR);
	}

}
