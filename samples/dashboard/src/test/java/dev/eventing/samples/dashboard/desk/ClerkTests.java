package dev.eventing.samples.dashboard.desk;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

import dev.eventing.samples.dashboard.event.ReservationEvent;
import dev.eventing.samples.dashboard.event.ResourceOpened;
import dev.eventing.samples.dashboard.house.Resource;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ClerkTests {

	private static final Resource BOATS = new Resource("boats", "Boats", 36);

	@Test
	void opensTheResourceFirst() {
		ReservationEvent first = new Clerk(BOATS, new Random(1)).next(Book.FOLD.initial(), 0);
		assertThat(first).isEqualTo(new ResourceOpened("boats", "Boats", 36));
	}

	@Test
	void neverOverbooks() {
		for (int seed = 0; seed < 20; seed++) {
			Book book = Book.FOLD.initial();
			Clerk clerk = new Clerk(BOATS, new Random(seed));
			for (int i = 0; i < 2_000; i++) {
				book = book.apply(clerk.next(book, i / 10.0));
				assertThat(book.taken()).as("seed %d, event %d", seed, i).isBetween(0, 36);
			}
		}
	}

	@Test
	void isBusyAtOneTimeAndQuietAtAnother() {
		Book book = Book.FOLD.initial();
		Clerk clerk = new Clerk(BOATS, new Random(1));
		List<Integer> taken = new ArrayList<>();
		Set<Class<?>> kinds = new HashSet<>();
		for (int i = 0; i < 10_000; i++) {
			ReservationEvent event = clerk.next(book, i / 50.0);
			kinds.add(event.getClass());
			book = book.apply(event);
			taken.add(book.taken());
		}
		assertThat(kinds).as("kinds of events").hasSize(5);
		List<Integer> later = taken.subList(500, taken.size());
		assertThat(later).anyMatch((units) -> units > 30).anyMatch((units) -> units < 12);
	}

}
