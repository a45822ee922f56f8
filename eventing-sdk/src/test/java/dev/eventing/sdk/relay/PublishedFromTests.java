package dev.eventing.sdk.relay;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.event.UnboundPayload;
import dev.eventing.sdk.store.StoredEvent;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PublishedFromTests {

	private static final Set<String> ALL = Set.of();

	@Test
	void hasNoGapWhereARelayBegins() {
		assertThat(PublishedFrom.NOTHING.with(Set.of("loan"), 0)).isEqualTo(of(Map.of("loan", 0L)));
		assertThat(PublishedFrom.NOTHING.with(ALL, 0)).isEqualTo(of(Map.of("", 0L)));
		assertThat(of(Map.of("loans", 0L)).with(Set.of("loan"), 0).hasGaps()).as("nothing was read").isFalse();
	}

	@Test
	void hasAGapWhereACategoryIsAdded() {
		PublishedFrom added = of(Map.of("loans", 0L)).with(Set.of("loan", "loans"), 50);
		assertThat(added).isEqualTo(of(Map.of("loan", 50L, "loans", 0L)));
		assertThat(added.end()).isEqualTo(50);
		assertThat(added.describeGaps()).isEqualTo("the categories [loan]");
	}

	@Test
	void keepsTheGapAtItsPositionWhileTheRelayGoesOn() {
		PublishedFrom added = of(Map.of("loan", 50L));
		assertThat(added.with(Set.of("loan"), 90)).isEqualTo(added);
	}

	/** As nodes of two versions do that take the lease in turn. */
	@Test
	void hasALaterGapWhereACategoryWasRemovedAndIsAddedAgain() {
		PublishedFrom removed = of(Map.of("loan", 0L, "copy", 0L)).with(Set.of("loan"), 50);
		assertThat(removed.hasGaps()).isFalse();
		assertThat(removed.with(Set.of("loan", "copy"), 70)).isEqualTo(of(Map.of("loan", 0L, "copy", 70L)));
	}

	@Test
	void hasAGapOfAllOthersWhereSomeBecomeAll() {
		PublishedFrom all = of(Map.of("loan", 0L)).with(ALL, 50);
		assertThat(all).isEqualTo(of(Map.of("", 50L, "loan", 0L)));
		assertThat(all.describeGaps()).isEqualTo("all categories but [loan]");
		assertThat(of(Map.of("loan", 20L)).with(ALL, 50).describeGaps()).isEqualTo("all categories");
	}

	@Test
	void hasNoGapWhereAllBecomeSome() {
		assertThat(of(Map.of("", 0L)).with(Set.of("loan"), 50)).isEqualTo(of(Map.of("loan", 0L)));
		assertThat(of(Map.of("", 30L, "loan", 0L)).with(Set.of("loan", "copy"), 50))
			.isEqualTo(of(Map.of("loan", 0L, "copy", 30L)));
	}

	@Test
	void hasASmallerGapWhereThePositionWasSetBack() {
		assertThat(of(Map.of("loan", 50L)).with(Set.of("loan"), 20)).isEqualTo(of(Map.of("loan", 20L)));
		assertThat(of(Map.of("", 50L, "loan", 30L)).with(ALL, 0)).isEqualTo(of(Map.of("", 0L)));
	}

	@Test
	void closesTheGapsThatAreKnownAndNoLaterOnes() {
		PublishedFrom gaps = of(Map.of("loan", 50L, "copy", 80L));
		assertThat(gaps.closed(gaps).hasGaps()).isFalse();
		assertThat(gaps.closed(of(Map.of("loan", 50L, "copy", 60L)))).isEqualTo(of(Map.of("loan", 0L, "copy", 80L)));
		assertThat(gaps.closed(PublishedFrom.NOTHING)).isEqualTo(gaps);
		PublishedFrom others = of(Map.of("", 50L, "loan", 30L));
		assertThat(others.closed(others)).isEqualTo(of(Map.of("", 0L)));
	}

	@Test
	void knowsWhichEventsAreInAGap() {
		PublishedFrom gaps = of(Map.of("loan", 50L, "copy", 0L));
		assertThat(gaps.isGap(stored(50, "loan-17"))).isTrue();
		assertThat(gaps.isGap(stored(51, "loan-17"))).isFalse();
		assertThat(gaps.isGap(stored(1, "copy-1"))).isFalse();
		assertThat(gaps.isGap(stored(1, "desk-1"))).as("it is not published").isFalse();
		PublishedFrom others = of(Map.of("", 50L, "copy", 0L));
		assertThat(others.isGap(stored(50, "desk"))).isTrue();
		assertThat(others.isGap(stored(1, "copy-1"))).isFalse();
	}

	private static PublishedFrom of(Map<String, Long> positions) {
		return new PublishedFrom(positions);
	}

	private static StoredEvent stored(long position, String stream) {
		UnboundPayload payload = UnboundPayload.of("{}".getBytes(StandardCharsets.UTF_8), EventJson.mapper());
		return new StoredEvent(position, Instant.EPOCH,
				Event.builder(TenantId.of("acme"), payload).type("tested").streamId(stream).build());
	}

}
