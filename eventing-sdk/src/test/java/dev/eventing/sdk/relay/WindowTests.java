package dev.eventing.sdk.relay;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventJson;
import dev.eventing.sdk.event.TenantId;
import dev.eventing.sdk.event.UnboundPayload;
import dev.eventing.sdk.store.StoredEvent;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WindowTests {

	private final Window window = new Window(10, 1000);

	@Test
	void letsOneEventOfAStreamGoAtATime() {
		Slot first = add(1, "a");
		Slot second = add(2, "a");
		Slot other = add(3, "b");
		assertThat(takeAll()).containsExactly(first, other);
		this.window.done(first);
		assertThat(takeAll()).containsExactly(second);
	}

	@Test
	void movesThePositionOnlyPastWhatIsDoneWithoutAGap() {
		Slot first = add(1, "a");
		Slot second = add(5, "b");
		takeAll();
		this.window.done(second);
		assertThat(this.window.donePosition(7)).isZero();
		this.window.done(first);
		assertThat(this.window.donePosition(7)).isEqualTo(7);
	}

	@Test
	void countsWhatIsDoneBehindTheOldestTowardsItsSize() {
		add(1, "a");
		Slot second = add(2, "b");
		takeAll();
		this.window.done(second);
		assertThat(this.window.room()).isEqualTo(8);
	}

	@Test
	void countsTheBytesOfWhatItHoldsUntilItLetsGo() {
		Slot first = add(1, "a");
		Slot second = add(2, "b");
		Slot retried = Slot.retried(stored(3, "c"));
		this.window.add(retried);
		int bytes = first.bytes();
		assertThat(this.window.roomForBytes()).isEqualTo(1000 - 3 * bytes);
		takeAll();
		this.window.done(second);
		assertThat(this.window.roomForBytes()).as("held behind the first").isEqualTo(1000 - 3 * bytes);
		this.window.done(retried);
		assertThat(this.window.roomForBytes()).isEqualTo(1000 - 2 * bytes);
		this.window.done(first);
		assertThat(this.window.roomForBytes()).isEqualTo(1000);
	}

	@Test
	void keepsFollowersBehindAnEventThatGoesAgain() {
		Slot first = add(1, "a");
		add(2, "a");
		takeAll();
		this.window.delay(first, 100);
		assertThat(this.window.take(99)).isNull();
		assertThat(this.window.take(100)).isSameAs(first);
		assertThat(this.window.take(101)).isNull();
		assertThat(first.attempt).isEqualTo(2);
	}

	@Test
	void countsWhatGoesAgainUntilItIsDone() {
		Slot first = add(1, "a");
		Slot second = add(2, "b");
		takeAll();
		this.window.delay(first, 100);
		this.window.delay(second, 100);
		assertThat(this.window.take(100)).isNotNull();
		this.window.delay(first, 200);
		assertThat(this.window.repeated()).isEqualTo(2);
		this.window.stopBehind(second);
		assertThat(this.window.repeated()).isEqualTo(1);
		this.window.done(first);
		assertThat(this.window.repeated()).isZero();
	}

	@Test
	void findsWhatWasSentLongAgo() {
		Slot first = add(1, "a");
		this.window.take(10);
		add(2, "b");
		this.window.take(20);
		assertThat(this.window.sentBefore(15)).containsExactly(first);
		this.window.done(first);
		assertThat(this.window.sentBefore(15)).isEmpty();
	}

	@Test
	void stopsAStreamWithAllThatWaitsBehind() {
		Slot first = add(1, "a");
		Slot second = add(2, "a");
		Slot third = add(3, "a");
		takeAll();
		assertThat(this.window.stopBehind(first)).containsExactly(second, third);
		assertThat(this.window.isEmpty()).isTrue();
		assertThat(this.window.holds(first.key())).isFalse();
	}

	@Test
	void givesABatchInOrderWithSeveralOfAStreamAndNothingBesideIt() {
		Slot first = add(1, "a");
		Slot second = add(2, "a");
		Slot third = add(3, "b");
		List<Slot> batch = this.window.takeBatch(2, 0);
		assertThat(batch).containsExactly(first, second);
		assertThat(this.window.takeBatch(2, 0)).isEmpty();
		batch.forEach(this.window::done);
		assertThat(this.window.takeBatch(2, 0)).containsExactly(third);
	}

	@Test
	void sendsTheEventsOfAFailedBatchOneByOne() {
		Slot first = add(1, "a");
		Slot second = add(2, "a");
		this.window.batchFailed(this.window.takeBatch(10, 0));
		assertThat(this.window.takeBatch(10, 0)).isEmpty();
		assertThat(takeAll()).containsExactly(first);
		this.window.done(first);
		assertThat(takeAll()).containsExactly(second);
		this.window.done(second);
		Slot third = add(3, "a");
		assertThat(this.window.takeBatch(10, 0)).containsExactly(third);
	}

	@Test
	void sendsOneEventOfAStreamAtATimeAfterABatchThatWasNotConfirmed() {
		Slot first = add(1, "a");
		Slot second = add(2, "a");
		Slot other = add(3, "b");
		List<Slot> batch = this.window.takeBatch(10, 0);
		batch.forEach((slot) -> this.window.delay(slot, 100));
		assertThat(this.window.take(100)).isSameAs(first);
		assertThat(this.window.take(100)).isSameAs(other);
		assertThat(this.window.take(100)).isNull();
		this.window.batchFailed(batch);
		assertThat(this.window.take(100)).as("what went again stays where it is").isNull();
		this.window.done(other);
		this.window.done(first);
		assertThat(this.window.takeBatch(10, 100)).isEmpty();
		assertThat(this.window.take(100)).isSameAs(second);
		this.window.done(second);
		assertThat(this.window.hasAlone()).isFalse();
	}

	@Test
	void takesAConfirmationThatComesAfterABatchWentAgain() {
		Slot first = add(1, "a");
		Slot second = add(2, "a");
		List<Slot> batch = this.window.takeBatch(10, 0);
		batch.forEach((slot) -> this.window.delay(slot, 100));
		this.window.done(first);
		this.window.done(second);
		assertThat(this.window.isEmpty()).isTrue();
		assertThat(this.window.hasAlone()).isFalse();
		assertThat(this.window.take(100)).isNull();
	}

	@Test
	void keepsOrderWhateverHappens() {
		for (long seed = 0; seed < 200; seed++) {
			playAtRandom(seed);
		}
	}

	private static void playAtRandom(long seed) {
		Random random = new Random(seed);
		Window window = new Window(20, 1000);
		List<Slot> flying = new ArrayList<>();
		List<String> confirmed = new ArrayList<>();
		long position = 0;
		for (int step = 0; step < 400; step++) {
			if (random.nextBoolean() && window.room() > 0) {
				position++;
				window.add(Slot.of(stored(position, "s" + random.nextInt(4))));
			}
			Slot sent = window.take(step);
			if (sent != null) {
				assertThat(flying).extracting(Slot::key).doesNotContain(sent.key());
				flying.add(sent);
			}
			if (!flying.isEmpty() && random.nextBoolean()) {
				Slot back = flying.remove(random.nextInt(flying.size()));
				if (random.nextInt(3) == 0) {
					window.delay(back, step + random.nextInt(10));
				}
				else {
					window.done(back);
					confirmed.add(back.key().streamId() + ":" + back.position());
				}
			}
			assertThat(window.inFlight()).isEqualTo(flying.size());
		}
		for (String stream : List.of("s0", "s1", "s2", "s3")) {
			assertThat(confirmed.stream()
				.filter((event) -> event.startsWith(stream))
				.map((event) -> Long.valueOf(event.substring(3)))).as("seed %s", seed).isSorted();
		}
	}

	private Slot add(long position, String stream) {
		Slot slot = Slot.of(stored(position, stream));
		this.window.add(slot);
		return slot;
	}

	private List<Slot> takeAll() {
		List<Slot> all = new ArrayList<>();
		for (Slot slot = this.window.take(0); slot != null; slot = this.window.take(0)) {
			all.add(slot);
		}
		return all;
	}

	private static StoredEvent stored(long position, String stream) {
		UnboundPayload payload = UnboundPayload.of("{}".getBytes(StandardCharsets.UTF_8), EventJson.mapper());
		return new StoredEvent(position, Instant.EPOCH,
				Event.builder(TenantId.of("acme"), payload).type("tested").streamId(stream).build());
	}

}
