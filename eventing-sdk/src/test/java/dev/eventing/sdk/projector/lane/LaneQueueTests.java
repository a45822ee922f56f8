package dev.eventing.sdk.projector.lane;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.eventing.sdk.event.EventHeaders;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.event.ReadResult;
import dev.eventing.sdk.projector.delivery.InFlight;
import dev.eventing.sdk.projector.delivery.NowhereOrigin;
import dev.eventing.sdk.projector.delivery.Work;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class LaneQueueTests {

	private static final Duration QUIET = Duration.ofMillis(50);

	private static final int MOST = 10;

	private final LaneQueue queue = new LaneQueue(new InFlight("test", 10, 100, 1000), QUIET);

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

	private Work add(String key) {
		RawEvent raw = new RawEvent("x", EventHeaders.of(Map.of()), new byte[0]);
		Work work = new Work(new NowhereOrigin(++this.sequence, raw),
				new ReadResult.Unreadable(ReadResult.Reason.INVALID_HEADER, "", null, null, null, null), null, key);
		this.queue.add(work);
		return work;
	}

}
