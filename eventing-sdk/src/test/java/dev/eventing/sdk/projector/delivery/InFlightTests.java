package dev.eventing.sdk.projector.delivery;

import java.time.Duration;
import java.util.Map;

import dev.eventing.sdk.event.EventHeaders;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.event.ReadResult;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class InFlightTests {

	private static final Duration NO_WAIT = Duration.ZERO;

	private final InFlight inFlight = new InFlight("test", 10, 100, 1000);

	private long sequence;

	@Test
	void hasRoomForWhatLanesAndBytesAllow() throws InterruptedException {
		assertThat(this.inFlight.awaitRoom(NO_WAIT, 0)).isEqualTo(new Capacity(10, 1000));
		Work work = hold(300);
		assertThat(this.inFlight.bytes()).isEqualTo(300);
		assertThat(this.inFlight.awaitRoom(NO_WAIT, 0)).isEqualTo(new Capacity(9, 700));
		this.inFlight.remove(work);
		this.inFlight.remove(work);
		assertThat(this.inFlight.awaitRoom(NO_WAIT, 0)).isEqualTo(new Capacity(10, 1000));
	}

	@Test
	void countsBytesThatOnlyWaitForARetry() throws InterruptedException {
		hold(600);
		this.inFlight.countWaiting(1);
		assertThat(this.inFlight.awaitRoom(NO_WAIT, 0)).isEqualTo(new Capacity(10, 400));
		assertThat(this.inFlight.alarm()).isEmpty();
		hold(600);
		this.inFlight.countWaiting(1);
		assertThat(this.inFlight.awaitRoom(NO_WAIT, 0)).isEqualTo(Capacity.NONE);
		assertThat(this.inFlight.alarm()).contains("2 events wait for retries, 1200 bytes",
				"'maxInFlightBytes' is 1000");
	}

	@Test
	void hasRoomForOneLargeEventOnceNothingElseIsUnderWay() throws InterruptedException {
		Work work = hold(300);
		assertThat(this.inFlight.awaitRoom(NO_WAIT, 700)).isEqualTo(Capacity.NONE);
		assertThat(this.inFlight.awaitRoom(NO_WAIT, 699)).isEqualTo(new Capacity(9, 700));
		this.inFlight.remove(work);
		assertThat(this.inFlight.awaitRoom(NO_WAIT, 1000)).isEqualTo(Capacity.FOR_ONE);
	}

	private Work hold(int bytes) {
		RawEvent raw = new RawEvent("x", EventHeaders.of(Map.of()), new byte[bytes - 1]);
		Work work = new Work(new NowhereOrigin(++this.sequence, raw),
				new ReadResult.Unreadable(ReadResult.Reason.INVALID_HEADER, "", null, null, null, null), null, null);
		this.inFlight.add(work);
		return work;
	}

}
