package dev.eventing.samples.dashboard.view;

import java.time.Instant;

import dev.eventing.samples.dashboard.event.ReservationCommitted;
import dev.eventing.samples.dashboard.event.ReservationEvent;
import dev.eventing.samples.dashboard.event.ReservationExpired;
import dev.eventing.samples.dashboard.event.ReservationHeld;
import dev.eventing.samples.dashboard.event.ReservationReleased;
import dev.eventing.samples.dashboard.event.ResourceOpened;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.TenantId;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class OccupancyViewTests {

	private final OccupancyView view = new OccupancyView();

	private Occupancy state = this.view.initial();

	@Test
	void countsWhatIsHeldTakenAndFree() {
		happen(0, new ResourceOpened("boats", "Boats", 36));
		happen(1, new ReservationHeld("boats", "1", 3));
		happen(2, new ReservationHeld("boats", "2", 4));
		happen(3, new ReservationHeld("boats", "3", 1));
		happen(4, new ReservationCommitted("boats", "2", 4));
		happen(5, new ReservationCommitted("boats", "3", 1));
		happen(6, new ReservationReleased("boats", "3", 1));
		assertThat(this.state.title()).isEqualTo("Boats");
		assertThat(this.state.held()).isEqualTo(3);
		assertThat(this.state.committed()).isEqualTo(4);
		assertThat(this.state.unreserved()).isEqualTo(29);
		happen(7, new ReservationExpired("boats", "1", 3));
		assertThat(this.state.held()).isZero();
		assertThat(this.state.totals()).isEqualTo(new Totals(8, 2, 1, 1));
	}

	@Test
	void drawsWhatIsTakenAtTheEndOfEachSlot() {
		happen(100, new ReservationHeld("boats", "1", 3));
		happen(101, new ReservationHeld("boats", "2", 4));
		happen(102, new ReservationExpired("boats", "1", 3));
		assertThat(this.state.history()).containsEntry(50L, 7L).containsEntry(51L, 4L).hasSize(2);
	}

	@Test
	void forgetsSlotsThatTheChartDoesNotHave() {
		for (int second = 0; second < 1000; second++) {
			happen(second, new ReservationHeld("boats", Integer.toString(second), 1));
		}
		assertThat(this.state.history()).hasSize(Occupancy.SLOTS);
		assertThat(this.state.history().lastKey()).isEqualTo(499);
	}

	@Test
	void goesForwardIfTheClockGoesBack() {
		happen(1000, new ReservationHeld("boats", "1", 1));
		happen(10, new ReservationHeld("boats", "2", 1));
		assertThat(this.state.history()).containsOnlyKeys(500L).containsEntry(500L, 2L);
	}

	@Test
	void isTheSameAfterItWasStored() {
		happen(0, new ResourceOpened("boats", "Boats", 36));
		happen(1, new ReservationHeld("boats", "1", 3));
		JsonMapper mapper = JsonMapper.shared();
		assertThat(mapper.readValue(mapper.writeValueAsString(this.state), Occupancy.class)).isEqualTo(this.state);
	}

	private void happen(long second, ReservationEvent event) {
		assertThat(this.view.key(event)).isEqualTo("boats");
		this.state = this.view.apply(this.state,
				Event.builder(TenantId.of("harbour"), event).time(Instant.ofEpochSecond(second)).build());
	}

}
