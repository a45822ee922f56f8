package dev.eventing.sdk.projection;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;

import dev.eventing.sdk.event.TenantId;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** How a part of a read model is named. */
class RebuildScopeTests {

	private static final TenantId ACME = TenantId.of("acme");

	private static final UUID LETTER = new UUID(1, 2);

	@Test
	void readsEachPart() {
		assertThat(RebuildScope.of(null, List.of(), List.of(), null)).isNull();
		assertThat(RebuildScope.of("acme", List.of(), List.of(), null)).isEqualTo(new RebuildScope.OfTenant(ACME));
		assertThat(RebuildScope.of("acme", List.of("b", "a"), List.of(), null))
			.isEqualTo(new RebuildScope.Streams(ACME, Set.of("a", "b")))
			.extracting(RebuildScope::describe)
			.isEqualTo("streams 'a', 'b' of tenant 'acme'");
		assertThat(RebuildScope.of(null, List.of(), List.of(LETTER.toString()), null))
			.isEqualTo(new RebuildScope.KeysOfLetters(Set.of(LETTER)));
		Instant from = Instant.parse("2026-01-31T00:00:00Z");
		assertThat(RebuildScope.of("acme", List.of(), List.of(), "2026-01-31T00:00:00Z..2026-01-31T01:00:00Z"))
			.isEqualTo(new RebuildScope.Window(from, from.plusSeconds(3600), ACME));
	}

	@Test
	void refusesWhatIsNotOnePart() {
		assertThatIllegalArgumentException().isThrownBy(
				() -> RebuildScope.of("acme", List.of("a"), List.of(), "2026-01-31T00:00:00Z..2026-01-31T01:00:00Z"))
			.withMessageContaining("Consider one request for each.");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> RebuildScope.of("acme", List.of(), List.of(LETTER.toString()), null))
			.withMessageContaining("Consider one request for each.");
		assertThatIllegalArgumentException().isThrownBy(() -> RebuildScope.of(null, List.of("a"), List.of(), null))
			.withMessageStartingWith("Streams belong to a tenant.");
		assertThatIllegalArgumentException().isThrownBy(() -> RebuildScope.of("acme", List.of(""), List.of(), null));
		assertThatIllegalArgumentException().isThrownBy(() -> RebuildScope.of("a b", List.of(), List.of(), null));
		assertThatIllegalArgumentException().isThrownBy(() -> RebuildScope.of(null, List.of(), List.of("1"), null))
			.withMessageContaining("'1' is no id of a letter");
		for (String window : List.of("2026", "..", "2026-01-31T00:00:00Z..",
				"2026-01-31T00:00:00Z..2026-01-31T00:00:00Z")) {
			assertThatIllegalArgumentException().as(window)
				.isThrownBy(() -> RebuildScope.of(null, List.of(), List.of(), window))
				.withMessageContaining("window");
		}
	}

	@Test
	void limitsTheEventsOfATransaction() {
		RebuildScope all = new RebuildScope.OfTenant(ACME);
		assertThat(new ScopedRebuild(all).mostEvents()).isEqualTo(ScopedRebuild.MOST_EVENTS);
		assertThatIllegalArgumentException().isThrownBy(() -> new ScopedRebuild(all, 0));
		assertThatIllegalArgumentException().isThrownBy(() -> new ScopedRebuild(all, ScopedRebuild.LIMIT + 1));
	}

}
