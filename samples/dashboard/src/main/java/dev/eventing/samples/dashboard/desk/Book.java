package dev.eventing.samples.dashboard.desk;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.eventing.samples.dashboard.event.ReservationCommitted;
import dev.eventing.samples.dashboard.event.ReservationEvent;
import dev.eventing.samples.dashboard.event.ReservationHeld;
import dev.eventing.samples.dashboard.event.ResourceOpened;
import dev.eventing.sdk.event.PayloadTypes;
import dev.eventing.sdk.store.Fold;

/**
 * The book of a resource, as the events of its stream wrote it.
 *
 * @param units how many there are; 0 before the resource is opened
 * @param last the number of the last reservation
 * @param open the reservations that are held or taken, by their numbers
 */
record Book(int units, long last, SortedMap<String, Reservation> open) {

	/** How the events of a stream become its book. */
	static final Fold<Book> FOLD = Fold
		.of(Book.class, new Book(0, 0, Collections.emptySortedMap()), PayloadTypes.ofSealed(ReservationEvent.class),
				Book::apply)
		.withSnapshotEvery(1000);

	Book {
		open = Collections.unmodifiableSortedMap(new TreeMap<>(open));
	}

	/** How many are held or taken. */
	int taken() {
		return this.open.values().stream().mapToInt(Reservation::units).sum();
	}

	/** The book after one more event. */
	Book apply(ReservationEvent event) {
		if (event instanceof ResourceOpened opened) {
			return new Book(opened.units(), this.last, this.open);
		}
		TreeMap<String, Reservation> next = new TreeMap<>(this.open);
		if (event instanceof ReservationHeld held) {
			next.put(held.reservation(), new Reservation(held.units(), false));
			return new Book(this.units, this.last + 1, next);
		}
		if (event instanceof ReservationCommitted committed) {
			next.put(committed.reservation(), new Reservation(committed.units(), true));
		}
		else {
			next.remove(Clerk.reservation(event));
		}
		return new Book(this.units, this.last, next);
	}

}
