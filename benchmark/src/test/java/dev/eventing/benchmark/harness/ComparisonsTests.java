package dev.eventing.benchmark.harness;

import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ComparisonsTests {

	@Test
	void everyProjectorOfTheSdkHasItsLoopByHandBeside() {
		for (Scale scale : List.of(Scale.full(), Scale.quick())) {
			List<Entry> projectors = projectors(scale);
			assertThat(projectors).filteredOn((entry) -> entry.id().startsWith("sdk-"))
				.isNotEmpty()
				.allSatisfy((entry) -> assertThat(entry.loopByHand()).isNotNull());
			assertThat(projectors).extracting(Entry::loopByHand)
				.filteredOn(Objects::nonNull)
				.allSatisfy((loop) -> assertThat(loopOf(projectors, loop)).isNull());
		}
	}

	@Test
	void theLoopIsOfTheSameKindWithAsManyLanes() {
		List<Entry> projectors = projectors(Scale.full());
		assertThat(loopOf(projectors, "sdk-plain")).isEqualTo("handwritten-batch-2");
		assertThat(loopOf(projectors, "sdk-plain-store")).isEqualTo("handwritten-batch-2");
		assertThat(loopOf(projectors, "sdk-deferred-4")).isEqualTo("handwritten-batched-4");
		assertThat(loopOf(projectors, "sdk-batch-1")).isEqualTo("handwritten-set-1");
		assertThat(loopOf(projectors, "handwritten-template-2")).isEqualTo("handwritten-batch-2");
		assertThat(loopOf(projectors, "handwritten-bounded-2")).isEqualTo("handwritten-batch-2");
		assertThat(loopOf(projectors, "handwritten-envelope-2")).isEqualTo("handwritten-set-2");
	}

	private static @Nullable String loopOf(List<Entry> entries, String id) {
		return entries.stream().filter((entry) -> entry.id().equals(id)).findFirst().orElseThrow().loopByHand();
	}

	private static List<Entry> projectors(Scale scale) {
		return Comparisons.all(() -> {
			throw new IllegalStateException("Nothing is measured here.");
		}, scale)
			.stream()
			.filter((comparison) -> comparison.name().equals("projector"))
			.flatMap((comparison) -> comparison.entries().stream())
			.toList();
	}

}
