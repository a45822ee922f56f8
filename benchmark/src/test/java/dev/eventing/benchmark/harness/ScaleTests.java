package dev.eventing.benchmark.harness;

import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ScaleTests {

	@Test
	void projectorsAloneHaveFiveRounds() {
		assertThat(Scale.full().of(Set.of("projector")).rounds()).isEqualTo(5);
		assertThat(Scale.full().of(Set.of("projector", "relay"))).isEqualTo(Scale.full());
		assertThat(Scale.full().of(Set.of())).isEqualTo(Scale.full());
	}

	@Test
	void aShortRunStaysShort() {
		assertThat(Scale.quick().of(Set.of("projector"))).isEqualTo(Scale.quick());
		assertThat(Scale.tiny().of(Set.of("projector"))).isEqualTo(Scale.tiny());
	}

}
