package dev.eventing.sdk.projector.lane;

import java.time.Duration;
import java.util.List;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projector.delivery.InFlight;
import dev.eventing.sdk.projector.delivery.StreamEvents;
import dev.eventing.sdk.projector.delivery.Suspicion;
import dev.eventing.sdk.projector.delivery.Work;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Timeout(60)
class LaneQueueTests {

	private static final Duration QUIET = Duration.ofMillis(50);

	private static final int MOST = 10;

	/** A retry after it is due in no test. */
	private static final Duration LONG = Duration.ofHours(1);

	private final InFlight inFlight = new InFlight(ProjectorId.of("test"), 10, 100, 1000);

	private final LaneQueue queue = new LaneQueue(this.inFlight, QUIET);

	private int calls;

	private long sequence;

	@BeforeEach
	void count() {
		this.queue.onCall(() -> this.calls++);
	}

	@Test
	void callsForTheFirstEventAndAgainForTheFirstAfterAQuietTime() throws InterruptedException {
		assertThat(this.calls).isZero();
		List<Work> first = List.of(add("a"), add("b"));
		assertThat(this.calls).isEqualTo(1);
		assertThat(this.queue.take(MOST)).isEqualTo(first);
		Work next = add("a");
		assertThat(this.calls).isEqualTo(1);
		assertThat(this.queue.take(MOST)).containsExactly(next);
		assertThat(this.queue.take(MOST)).as("after a quiet time").isEmpty();
		add("a");
		assertThat(this.calls).isEqualTo(2);
	}

	@Test
	void isNotQuietWhileAnEventWaitsForARetry() throws InterruptedException {
		Work failed = add("a");
		Work behind = add("a");
		assertThat(this.queue.take(1)).containsExactly(failed);
		this.queue.retryAfter(failed, QUIET.multipliedBy(4));
		assertThat(this.queue.take(MOST)).containsExactly(failed);
		this.queue.release(failed);
		assertThat(this.queue.take(MOST)).containsExactly(behind);
		assertThat(this.calls).isEqualTo(1);
	}

	@Test
	void takesInNothingThatNobodyCanBeCalledFor() throws InterruptedException {
		this.queue.onCall(() -> {
			throw new OutOfMemoryError("of the test");
		});
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> add("a"));
		count();
		Work next = add("a");
		assertThat(this.calls).isEqualTo(1);
		assertThat(this.queue.take(MOST)).containsExactly(next);
	}

	@Test
	void takesNoMoreThanItIsAskedForInOrder() throws InterruptedException {
		List<Work> all = List.of(add("a"), add("b"), add("a"), add("c"), add("b"));
		assertThat(this.queue.take(2)).isEqualTo(all.subList(0, 2));
		assertThat(this.queue.take(2)).isEqualTo(all.subList(2, 4));
		assertThat(this.queue.take(2)).isEqualTo(all.subList(4, 5));
	}

	@Test
	void aFailedKeyHoldsBackItsLaterEventsWhileOtherKeysGoOn() throws InterruptedException {
		fail("a");
		Work heldBack = add("a");
		List<Work> others = List.of(add("b"), add("c"), add(null));
		assertThat(this.queue.take(MOST)).isEqualTo(others);
		Work later = add("b");
		add("a");
		assertThat(this.queue.take(MOST)).containsExactly(later);
		assertThat(this.queue.drain()).contains(heldBack).hasSize(2);
	}

	@Test
	void holdsBackTheEventsThatWereTakenTogetherWithTheFailedOne() throws InterruptedException {
		Work failed = add("a");
		Work sameKey = add("a");
		Work other = add("b");
		assertThat(this.queue.take(MOST)).containsExactly(failed, sameKey, other);
		this.queue.retryAfter(failed, Duration.ZERO);
		assertThat(this.queue.holdBlocked(List.of(sameKey, other))).containsExactly(other);
		assertThat(this.queue.take(MOST)).containsExactly(failed);
		this.queue.release(failed);
		assertThat(this.queue.take(MOST)).containsExactly(sameKey);
	}

	@Test
	void aKeyGoesOnInOrderOnceItsFailedEventIsSettledAndBeforeOthers() throws InterruptedException {
		Work failed = fail("a");
		List<Work> behind = List.of(add("a"), add("a"));
		Work passing = add("b");
		assertThat(this.queue.take(MOST)).as("goes past what is held back").containsExactly(passing);
		Work other = add("c");
		this.queue.release(failed);
		assertThat(this.queue.take(MOST)).containsExactly(behind.get(0), behind.get(1), other);
		Work next = add("a");
		assertThat(this.queue.take(MOST)).as("blocked no more").containsExactly(next);
	}

	@Test
	void aKeyIsBlockedAgainIfItsNextEventFailsToo() throws InterruptedException {
		Work failed = fail("a");
		Work second = add("a");
		Work third = add("a");
		this.queue.release(failed);
		assertThat(this.queue.take(1)).containsExactly(second);
		this.queue.retryAfter(second, Duration.ZERO);
		assertThat(this.queue.take(MOST)).containsExactly(second);
		Work other = add("b");
		assertThat(this.queue.take(MOST)).as("the third waits for the second").containsExactly(other);
		this.queue.release(second);
		assertThat(this.queue.take(MOST)).containsExactly(third);
	}

	@Test
	void retriesComeAloneByTheirTimeAndBeforeReadyEvents() throws InterruptedException {
		Work second = add("a");
		Work first = add("b");
		Work never = add("c");
		assertThat(this.queue.take(MOST)).hasSize(3);
		this.queue.retryAfter(never, LONG);
		this.queue.retryAfter(second, Duration.ZERO);
		this.queue.retryAfter(first, Duration.ofSeconds(-1));
		Work ready = add("d");
		assertThat(this.queue.take(MOST)).containsExactly(first);
		assertThat(this.queue.take(MOST)).containsExactly(second);
		assertThat(this.queue.take(MOST)).containsExactly(ready);
		assertThat(this.queue.drain()).containsExactly(never);
	}

	@Test
	void anEventThatWaitsForItsTimeBlocksItsKeyToo() throws InterruptedException {
		Work delayed = work("a");
		delayed.setNotBefore(System.nanoTime() + LONG.toNanos());
		this.queue.add(delayed);
		Work heldBack = add("a");
		Work other = add("b");
		assertThat(this.queue.take(MOST)).containsExactly(other);
		assertThat(this.queue.drain()).containsExactly(delayed, heldBack);
	}

	@Test
	void suspectsAreTakenApartFromOthers() throws InterruptedException {
		Work ordinary = add("a");
		Work suspect = work("b");
		suspect.setSuspicion(Suspicion.LIKELY);
		this.queue.add(suspect);
		Work after = add("c");
		assertThat(this.queue.take(MOST)).containsExactly(ordinary);
		assertThat(this.queue.take(MOST)).containsExactly(suspect);
		assertThat(this.queue.take(MOST)).containsExactly(after);
	}

	@Test
	void aBatchThatDidNotEndIsNextAndItsRetryStaysOne() throws InterruptedException {
		Work failed = fail("a");
		add("a");
		List<Work> batch = List.of(failed, add("b"), add("c"));
		assertThat(this.queue.take(MOST)).hasSize(2);
		Work later = add("b");
		batch.forEach(this.inFlight::add);
		this.inFlight.remove(batch.get(2)); // settled
		this.queue.putBack(batch);
		assertThat(this.queue.take(MOST)).as("its key is still blocked").containsExactly(failed);
		assertThat(this.queue.take(MOST)).containsExactly(batch.get(1), later);
	}

	@Test
	void countsWhatWaitsSoThatItUsesNoCapacity() throws InterruptedException {
		Work failed = fail("a");
		add("a");
		add("a");
		Work other = add("b");
		assertThat(this.queue.take(MOST)).containsExactly(other);
		assertThat(this.inFlight.waiting()).as("the failed one is being tried").isEqualTo(2);
		this.queue.retryAfter(failed, LONG);
		assertThat(this.inFlight.waiting()).isEqualTo(3);
		this.queue.release(failed);
		assertThat(this.inFlight.waiting()).isEqualTo(1);
		assertThat(this.queue.drain()).hasSize(3);
		assertThat(this.inFlight.waiting()).isZero();
	}

	@Test
	void onceClosedItGivesWhatIsReadyAndNoRetry() throws InterruptedException {
		Work failed = add("a");
		assertThat(this.queue.take(1)).containsExactly(failed);
		this.queue.retryAfter(failed, Duration.ZERO);
		Work ready = add("b");
		this.queue.close();
		assertThat(this.queue.take(MOST)).containsExactly(ready);
		assertThat(this.queue.take(MOST)).isEmpty();
		assertThat(this.queue.drain()).containsExactly(failed);
	}

	/** Has an event fail, and its retry begin. */
	private Work fail(String key) throws InterruptedException {
		Work failed = add(key);
		assertThat(this.queue.take(1)).containsExactly(failed);
		this.queue.retryAfter(failed, Duration.ZERO);
		assertThat(this.queue.take(1)).containsExactly(failed);
		return failed;
	}

	private Work add(@Nullable String key) {
		Work work = work(key);
		this.queue.add(work);
		return work;
	}

	private Work work(@Nullable String key) {
		return StreamEvents.unreadable(++this.sequence, key);
	}

}
