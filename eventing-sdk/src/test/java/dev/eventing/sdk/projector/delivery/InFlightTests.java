package dev.eventing.sdk.projector.delivery;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.eventing.sdk.event.EventHeaders;
import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.RawEvent;
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
		AgainSettler held = new AgainSettler(7, FIRST_LIFE);
		hold(held);
		hold(new AgainSettler(9, FIRST_LIFE));
		hold(new AgainSettler(8, FIRST_LIFE));
		assertThat(renew(new AgainSettler(7, FIRST_LIFE))).isTrue();
		assertThat(held.renewals).hasSize(1);
		assertThat(renew(new AgainSettler(9, FIRST_LIFE))).isTrue();
		assertThat(renew(new AgainSettler(6, FIRST_LIFE))).isFalse();
		assertThat(renew(new AgainSettler(10, FIRST_LIFE))).isFalse();
	}

	@Test
	void settlesHeldEventsThroughTheirLaterDeliveriesAfterTheDurableWasReset() {
		AgainSettler retried = new AgainSettler(2, FIRST_LIFE);
		AgainSettler last = new AgainSettler(3, FIRST_LIFE);
		Work settled = hold(new AgainSettler(1, FIRST_LIFE));
		hold(retried);
		hold(last);
		this.inFlight.remove(settled);
		assertThat(renew(new AgainSettler(1, FIRST_LIFE))).isFalse();
		hold(new AgainSettler(1, FIRST_LIFE));
		assertThat(renew(new AgainSettler(2, FIRST_LIFE))).isTrue();
		assertThat(renew(new AgainSettler(3, FIRST_LIFE))).isTrue();
		assertThat(retried.renewals).hasSize(1);
		assertThat(last.renewals).hasSize(1);
	}

	@Test
	void settlesHeldEventsOfAStreamThatWasMadeAnew() {
		AgainSettler former = new AgainSettler(2, FIRST_LIFE);
		AgainSettler first = new AgainSettler(1, SECOND_LIFE);
		AgainSettler second = new AgainSettler(2, SECOND_LIFE);
		hold(former);
		hold(new AgainSettler(5, FIRST_LIFE));
		assertThat(renew(second)).isFalse();
		hold(second);
		hold(first);
		assertThat(renew(new AgainSettler(1, SECOND_LIFE))).isTrue();
		assertThat(renew(new AgainSettler(2, SECOND_LIFE))).isTrue();
		assertThat(first.renewals).hasSize(1);
		assertThat(second.renewals).hasSize(1);
		assertThat(former.renewals).isEmpty();
	}

	private Work hold(int bytes) {
		RawEvent raw = new RawEvent("x", EventHeaders.empty(), new byte[bytes - 1]);
		return hold(StreamEvents.at(++this.sequence, raw), Settler.NONE);
	}

	private Work hold(AgainSettler settler) {
		return hold(settler.event, settler);
	}

	private Work hold(SourceEvent event, Settler settler) {
		Work work = StreamEvents.unreadable(event, null, settler);
		this.inFlight.add(work);
		return work;
	}

	private boolean renew(AgainSettler later) {
		return this.inFlight.renew(later.event.place(), later);
	}

	/** Settles an event that is delivered more than once. */
	private static final class AgainSettler implements Settler {

		private final List<Settler> renewals = new ArrayList<>();

		private final SourceEvent event;

		AgainSettler(long sequence, Instant storedAt) {
			this.event = WireEvent.of(new EventPlace("S", sequence, storedAt),
					new RawEvent("x", EventHeaders.empty(), new byte[0]), false);
		}

		@Override
		public boolean renewFrom(Settler later) {
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
