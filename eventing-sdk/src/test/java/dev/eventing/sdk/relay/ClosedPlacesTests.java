package dev.eventing.sdk.relay;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ClosedPlacesTests {

	private static final String FULL = ClosedPlaces.stream("FULL");

	private static final List<String> ONLY = List.of(FULL);

	private final ClosedPlaces places = new ClosedPlaces();

	private long now = 1000;

	@Test
	void knowsThatOthersTakeEventsOnceOneDoesAfterTheFailure() {
		confirm("ROOM");
		this.places.failed(FULL, this.now);
		assertThat(this.places.othersTake(FULL)).isFalse();
		confirm("ROOM");
		assertThat(this.places.othersTake(FULL)).isTrue();
	}

	@Test
	void takesNoEventOfTheSamePlaceForOneOfAnother() {
		this.places.failed(FULL, this.now);
		confirm("FULL");
		assertThat(this.places.othersTake(FULL)).isFalse();
		confirm("ROOM");
		confirm("FULL");
		assertThat(this.places.othersTake(FULL)).as("since it took one itself").isFalse();
	}

	@Test
	void triesOneEventAfterPausesThatGrow() {
		this.places.failed(FULL, this.now);
		for (int pause : new int[] { 2, 4, 8, 16, 32, 32 }) {
			assertThat(this.places.due(ONLY, this.now)).isEmpty();
			this.now += TimeUnit.SECONDS.toNanos(pause);
			assertThat(this.places.due(ONLY, this.now)).as("after %s s", pause).containsExactly(FULL);
			assertThat(this.places.tries(FULL, this.now)).isOne();
			this.places.failed(FULL, this.now);
			this.places.failed(FULL, this.now);
		}
	}

	@Test
	void triesMoreEventsAfterEachSuccessAndOneAfterAFailure() {
		assertThat(this.places.due(ONLY, this.now)).as("one that is in the table only").containsExactly(FULL);
		for (int atOnce : new int[] { 1, 10, 100, 1000, 10_000, 10_000 }) {
			assertThat(this.places.tries(FULL, this.now)).isEqualTo(atOnce);
			confirm("FULL");
			assertThat(this.places.due(ONLY, this.now)).containsExactly(FULL);
		}
		this.places.tries(FULL, this.now);
		this.places.failed(FULL, this.now);
		this.now += TimeUnit.MINUTES.toNanos(1);
		assertThat(this.places.tries(FULL, this.now)).isOne();
	}

	@Test
	void triesAHundredPlacesAtATimeThoseThatWaitedLongestFirst() {
		List<String> all = IntStream.range(0, 150)
			.mapToObj((number) -> ClosedPlaces.subject("full." + number))
			.toList();
		List<String> first = this.places.due(all, this.now);
		assertThat(first).hasSize(100);
		first.forEach((place) -> this.places.tries(place, this.now));
		assertThat(this.places.due(all, this.now)).hasSize(50).doesNotContainAnyElementsOf(first);
	}

	@Test
	void setsAsideWithoutKnowingAPlaceThatTakesEventsOnlySoMany() {
		this.places.failed(FULL, this.now);
		this.places.setAsideBlindly(9_999);
		assertThat(this.places.mayBeBlind()).isTrue();
		this.places.setAsideBlindly(1);
		assertThat(this.places.mayBeBlind()).isFalse();
		assertThat(this.places.isBlind()).isTrue();
		confirm("ROOM");
		assertThat(this.places.mayBeBlind()).isTrue();
		assertThat(this.places.isBlind()).isFalse();
	}

	@Test
	void needsNoConfirmationsOnceAllPlacesTakeEvents() {
		assertThat(this.places.needConfirmations()).isFalse();
		this.places.failed(FULL, this.now);
		assertThat(this.places.needConfirmations()).isTrue();
		this.now += TimeUnit.MINUTES.toNanos(3);
		this.places.forget(this.now);
		assertThat(this.places.needConfirmations()).isFalse();
	}

	private void confirm(String stream) {
		this.places.confirmed(stream, "room.x", this.now);
	}

}
