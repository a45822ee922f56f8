package dev.eventing.sdk.projector.delivery;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.eventing.sdk.event.EventHeaders;
import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.event.ReadResult;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class InFlightTests {

	private static final Duration NO_WAIT = Duration.ZERO;

	private static final Instant FIRST_LIFE = Instant.EPOCH;

	private static final Instant SECOND_LIFE = FIRST_LIFE.plusSeconds(1);

	private final InFlight inFlight = new InFlight(ProjectorId.of("test"), 10, 100, 1000);

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

	@Test
	void settlesAHeldEventThroughItsLaterDelivery() {
		AgainOrigin held = new AgainOrigin(7, FIRST_LIFE);
		hold(held);
		hold(new AgainOrigin(9, FIRST_LIFE));
		hold(new AgainOrigin(8, FIRST_LIFE));
		assertThat(this.inFlight.renew(new AgainOrigin(7, FIRST_LIFE))).isTrue();
		assertThat(held.renewals).hasSize(1);
		assertThat(this.inFlight.renew(new AgainOrigin(9, FIRST_LIFE))).isTrue();
		assertThat(this.inFlight.renew(new AgainOrigin(6, FIRST_LIFE))).isFalse();
		assertThat(this.inFlight.renew(new AgainOrigin(10, FIRST_LIFE))).isFalse();
	}

	@Test
	void settlesHeldEventsThroughTheirLaterDeliveriesAfterTheDurableWasReset() {
		AgainOrigin retried = new AgainOrigin(2, FIRST_LIFE);
		AgainOrigin last = new AgainOrigin(3, FIRST_LIFE);
		Work settled = hold(new AgainOrigin(1, FIRST_LIFE));
		hold(retried);
		hold(last);
		this.inFlight.remove(settled);
		assertThat(this.inFlight.renew(new AgainOrigin(1, FIRST_LIFE))).isFalse();
		hold(new AgainOrigin(1, FIRST_LIFE));
		assertThat(this.inFlight.renew(new AgainOrigin(2, FIRST_LIFE))).isTrue();
		assertThat(this.inFlight.renew(new AgainOrigin(3, FIRST_LIFE))).isTrue();
		assertThat(retried.renewals).hasSize(1);
		assertThat(last.renewals).hasSize(1);
	}

	@Test
	void settlesHeldEventsOfAStreamThatWasMadeAnew() {
		AgainOrigin former = new AgainOrigin(2, FIRST_LIFE);
		AgainOrigin first = new AgainOrigin(1, SECOND_LIFE);
		AgainOrigin second = new AgainOrigin(2, SECOND_LIFE);
		hold(former);
		hold(new AgainOrigin(5, FIRST_LIFE));
		assertThat(this.inFlight.renew(second)).isFalse();
		hold(second);
		hold(first);
		assertThat(this.inFlight.renew(new AgainOrigin(1, SECOND_LIFE))).isTrue();
		assertThat(this.inFlight.renew(new AgainOrigin(2, SECOND_LIFE))).isTrue();
		assertThat(first.renewals).hasSize(1);
		assertThat(second.renewals).hasSize(1);
		assertThat(former.renewals).isEmpty();
	}

	private Work hold(int bytes) {
		RawEvent raw = new RawEvent("x", EventHeaders.of(Map.of()), new byte[bytes - 1]);
		return hold(new NowhereOrigin(++this.sequence, raw));
	}

	private Work hold(Origin origin) {
		Work work = new Work(origin,
				new RoutedEvent(origin.place(),
						new ReadResult.Unreadable(ReadResult.Reason.INVALID_HEADER, "", null, null, null, null), null,
						null, false));
		this.inFlight.add(work);
		return work;
	}

	/** Where an event comes from that is delivered more than once. */
	private static final class AgainOrigin implements Origin {

		private final List<Origin> renewals = new ArrayList<>();

		private final EventPlace place;

		AgainOrigin(long sequence, Instant storedAt) {
			this.place = new EventPlace("S", sequence, storedAt);
		}

		@Override
		public EventPlace place() {
			return this.place;
		}

		@Override
		public RawEvent raw() {
			return new RawEvent("x", EventHeaders.of(Map.of()), new byte[0]);
		}

		@Override
		public boolean renewFrom(Origin later) {
			return this.renewals.add(later);
		}

		@Override
		public void acknowledge() {
		}

		@Override
		public void term(String reason) {
		}

		@Override
		public void nak() {
		}

		@Override
		public void nak(Duration delay) {
		}

		@Override
		public void inProgress() {
		}

	}

}
