package dev.eventing.sdk.projector.lane;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projector.delivery.InFlight;
import dev.eventing.sdk.projector.delivery.StreamEvents;
import dev.eventing.sdk.projector.delivery.Suspicion;
import dev.eventing.sdk.projector.delivery.Work;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

@Timeout(60)
class LaneQueueTests {

	private static final Duration QUIET = Duration.ofMillis(50);

	private static final Duration PATIENT = Duration.ofSeconds(30);

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

	@Test
	void anEventWithoutAKeyBlocksNoOthers() throws InterruptedException {
		Work failed = add(null);
		assertThat(this.queue.take(MOST)).containsExactly(failed);
		this.queue.retryAfter(failed, LONG);
		assertThat(failed.isBlocking()).isFalse();
		Work other = add(null);
		assertThat(this.queue.holdIfBlocked(other)).isFalse();
		assertThat(this.queue.take(MOST)).containsExactly(other);
		assertThat(this.inFlight.waiting()).isEqualTo(1);
	}

	@Test
	void anEventWithoutAKeyThatWaitsForItsTimeHoldsNoOthersBack() throws InterruptedException {
		Work delayed = work(null);
		delayed.setNotBefore(System.nanoTime() + LONG.toNanos());
		this.queue.add(delayed);
		Work other = add(null);
		assertThat(this.queue.take(MOST)).containsExactly(other);
		assertThat(this.inFlight.waiting()).isEqualTo(1);
		assertThat(this.queue.drain()).containsExactly(delayed);
	}

	@Test
	void holdsNothingBackWhileNoKeyIsBlockedNorTheEventThatBlocksItsKey() throws InterruptedException {
		List<Work> works = List.of(work("a"), work("b"));
		assertThat(this.queue.holdBlocked(works)).isEqualTo(works);
		Work failed = fail("a");
		assertThat(this.queue.holdIfBlocked(failed)).isFalse();
		assertThat(this.queue.holdIfBlocked(works.get(1))).isFalse();
		assertThat(this.queue.holdIfBlocked(works.get(0))).isTrue();
		assertThat(this.inFlight.waiting()).isEqualTo(1);
	}

	/** One that succeeds behind a failed one of its key has not blocked that key. */
	@Test
	void isNotReleasedByAnEventThatDidNotBlockItsKey() throws InterruptedException {
		fail("a");
		Work heldBack = add("a");
		this.queue.release(heldBack);
		Work other = add("b");
		assertThat(this.queue.take(MOST)).as("its key is still blocked").containsExactly(other);
	}

	@Test
	void aBatchThatDidNotEndIsNextInItsOrder() throws InterruptedException {
		List<Work> batch = List.of(add("a"), add("b"), add("a"));
		Work later = add("a");
		assertThat(this.queue.take(3)).isEqualTo(batch);
		batch.forEach(this.inFlight::add);
		this.queue.putBack(batch);
		assertThat(this.queue.take(MOST)).containsExactly(batch.get(0), batch.get(1), batch.get(2), later);
	}

	@Test
	void aBatchThatDidNotEndReturnsWithoutWhatWaitsHereAlready() throws InterruptedException {
		Work failed = add("a");
		Work heldBack = add("a");
		Work other = add("b");
		List<Work> batch = this.queue.take(MOST);
		batch.forEach(this.inFlight::add);
		this.queue.retryAfter(failed, LONG);
		assertThat(this.queue.holdIfBlocked(heldBack)).isTrue();
		this.queue.putBack(batch);
		assertThat(this.inFlight.waiting()).isEqualTo(2);
		assertThat(this.queue.take(MOST)).containsExactly(other);
		assertThat(this.queue.drain()).containsExactly(failed, heldBack);
	}

	@Test
	void aRetryThatDidNotEndWaitsAgainAndUsesNoCapacity() throws InterruptedException {
		Work failed = fail("a");
		this.inFlight.add(failed);
		assertThat(this.inFlight.waiting()).isZero();
		this.queue.putBack(List.of(failed));
		assertThat(this.inFlight.waiting()).isEqualTo(1);
		assertThat(this.queue.take(MOST)).containsExactly(failed);
		assertThat(this.inFlight.waiting()).isZero();
	}

	/** It is not a retry any more: nothing waits for it. */
	@Test
	void aRetryThatDidNotEndIsReadyOnceItsKeyIsReleased() throws InterruptedException {
		Work failed = fail("a");
		this.inFlight.add(failed);
		this.queue.release(failed);
		Work later = add("a");
		this.queue.putBack(List.of(failed));
		assertThat(this.inFlight.waiting()).isZero();
		assertThat(this.queue.take(MOST)).containsExactly(failed, later);
	}

	@Test
	void drainsWhatIsReadyWhatIsRetriedAndWhatIsHeldBackInStreamOrder() throws InterruptedException {
		Work failed = add("a");
		assertThat(this.queue.take(MOST)).containsExactly(failed);
		this.queue.retryAfter(failed, LONG);
		Work heldBack = add("a");
		Work other = add("b");
		assertThat(this.queue.take(MOST)).containsExactly(other);
		this.queue.retryAfter(other, LONG);
		Work ready = add("c");
		assertThat(this.queue.drain()).containsExactly(failed, heldBack, other, ready);
		assertThat(this.inFlight.waiting()).isZero();
		assertThat(this.queue.drain()).isEmpty();
		Work next = add("a");
		assertThat(this.queue.take(MOST)).as("no key is blocked any more").containsExactly(next);
	}

	@Nested
	class AThreadThatWaits {

		private final LaneQueue patient = new LaneQueue(LaneQueueTests.this.inFlight, LONG);

		private final AtomicReference<Thread> taking = new AtomicReference<>();

		@Test
		void takesAnEventAsSoonAsItIsAdded() {
			CompletableFuture<List<Work>> taken = take();
			Work added = work("a");
			this.patient.add(added);
			assertThat(taken).succeedsWithin(PATIENT).isEqualTo(List.of(added));
		}

		@Test
		void takesAnEventThatIsAddedBeforeTheRetryItWaitsFor() throws InterruptedException {
			Work failed = work("a");
			this.patient.add(failed);
			assertThat(this.patient.take(MOST)).containsExactly(failed);
			this.patient.retryAfter(failed, LONG);
			CompletableFuture<List<Work>> taken = take();
			Work added = work("b");
			this.patient.add(added);
			assertThat(taken).succeedsWithin(PATIENT).isEqualTo(List.of(added));
		}

		@Test
		void takesARetryThatIsDueSoonerThanTheOneItWaitsFor() throws InterruptedException {
			List<Work> failed = List.of(work("a"), work("b"));
			failed.forEach(this.patient::add);
			assertThat(this.patient.take(MOST)).isEqualTo(failed);
			this.patient.retryAfter(failed.get(0), LONG);
			CompletableFuture<List<Work>> taken = take();
			this.patient.retryAfter(failed.get(1), Duration.ZERO);
			assertThat(taken).succeedsWithin(PATIENT).isEqualTo(failed.subList(1, 2));
		}

		@Test
		void takesABatchThatIsPutBack() throws InterruptedException {
			Work work = work("a");
			this.patient.add(work);
			LaneQueueTests.this.inFlight.add(work);
			assertThat(this.patient.take(MOST)).containsExactly(work);
			CompletableFuture<List<Work>> taken = take();
			this.patient.putBack(List.of(work));
			assertThat(taken).succeedsWithin(PATIENT).isEqualTo(List.of(work));
		}

		@Test
		void endsWhenTheQueueIsClosed() {
			CompletableFuture<List<Work>> taken = take();
			this.patient.close();
			assertThat(taken).succeedsWithin(PATIENT).isEqualTo(List.of());
		}

		@Test
		void endsWhenItIsInterrupted() {
			CompletableFuture<List<Work>> taken = take();
			Objects.requireNonNull(this.taking.get()).interrupt();
			assertThat(taken).failsWithin(PATIENT).withThrowableThat().withCauseInstanceOf(InterruptedException.class);
		}

		/** The event that blocks a key may be tried meanwhile, or be parked. */
		@Test
		void isNotDismissedWhileAKeyIsBlocked() throws InterruptedException {
			Work failed = fail("a");
			CompletableFuture<List<Work>> taken = take(LaneQueueTests.this.queue);
			await().during(QUIET.multipliedBy(4)).until(() -> !taken.isDone());
			LaneQueueTests.this.queue.release(failed);
			assertThat(taken).succeedsWithin(PATIENT).isEqualTo(List.of());
		}

		private CompletableFuture<List<Work>> take() {
			return take(this.patient);
		}

		/** Has a thread take events. It waits when this returns. */
		private CompletableFuture<List<Work>> take(LaneQueue from) {
			CompletableFuture<List<Work>> taken = new CompletableFuture<>();
			Thread thread = new Thread(() -> {
				try {
					taken.complete(from.take(MOST));
				}
				catch (InterruptedException ex) {
					taken.completeExceptionally(ex);
				}
			}, "takes of the test");
			thread.setDaemon(true);
			thread.start();
			this.taking.set(thread);
			await().atMost(PATIENT).until(() -> thread.getState() == Thread.State.TIMED_WAITING);
			return taken;
		}

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
