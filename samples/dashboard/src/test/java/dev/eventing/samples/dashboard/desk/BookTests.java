package dev.eventing.samples.dashboard.desk;

import dev.eventing.samples.dashboard.event.ReservationCommitted;
import dev.eventing.samples.dashboard.event.ReservationExpired;
import dev.eventing.samples.dashboard.event.ReservationHeld;
import dev.eventing.samples.dashboard.event.ReservationReleased;
import dev.eventing.samples.dashboard.event.ResourceOpened;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class BookTests {

	private static final Book HELD = Book.FOLD.initial()
		.apply(new ResourceOpened("boats", "Boats", 36))
		.apply(new ReservationHeld("boats", "1", 3))
		.apply(new ReservationHeld("boats", "2", 4));

	@Test
	void hasWhatIsHeldAndTaken() {
		Book book = HELD.apply(new ReservationCommitted("boats", "2", 4));
		assertThat(book.open()).containsOnlyKeys("1", "2")
			.containsEntry("1", new Reservation(3, false))
			.containsEntry("2", new Reservation(4, true));
		assertThat(book.taken()).isEqualTo(7);
	}

	@Test
	void forgetsWhatEnded() {
		Book book = HELD.apply(new ReservationCommitted("boats", "2", 4))
			.apply(new ReservationReleased("boats", "2", 4))
			.apply(new ReservationExpired("boats", "1", 3));
		assertThat(book.open()).isEmpty();
		assertThat(book.last()).as("so that no number is given twice").isEqualTo(2);
	}

	@Test
	void isKeptInSnapshots() {
		JsonMapper mapper = JsonMapper.shared();
		assertThat(mapper.readValue(mapper.writeValueAsString(HELD), Book.class)).isEqualTo(HELD);
	}

}
