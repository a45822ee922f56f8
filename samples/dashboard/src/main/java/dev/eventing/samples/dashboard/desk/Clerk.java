package dev.eventing.samples.dashboard.desk;

import java.util.List;
import java.util.Map;
import java.util.Random;

import dev.eventing.samples.dashboard.event.ReservationCommitted;
import dev.eventing.samples.dashboard.event.ReservationEvent;
import dev.eventing.samples.dashboard.event.ReservationExpired;
import dev.eventing.samples.dashboard.event.ReservationHeld;
import dev.eventing.samples.dashboard.event.ReservationReleased;
import dev.eventing.samples.dashboard.event.ResourceOpened;
import dev.eventing.samples.dashboard.house.Resource;

/**
 * Decides what happens next at a desk, so that the resource is nearly full at one time
 * and nearly empty at another, and never overbooked. Not thread-safe.
 */
final class Clerk {

	private static final int MOST_UNITS = 4;

	/** From one rush to the next. */
	private static final double TIDE_SECONDS = 75;

	private final Resource resource;

	private final Random random;

	private final double phase;

	Clerk(Resource resource, Random random) {
		this.resource = resource;
		this.random = random;
		this.phase = random.nextDouble() * TIDE_SECONDS;
	}

	/**
	 * The next event.
	 * @param book what happened so far
	 * @param seconds the time, which the demand depends on
	 */
	ReservationEvent next(Book book, double seconds) {
		if (book.units() == 0) {
			return new ResourceOpened(this.resource.key(), this.resource.title(), this.resource.units());
		}
		int free = book.units() - book.taken();
		boolean wanted = book.taken() < demand(seconds) * book.units();
		boolean another = this.random.nextDouble() < (wanted ? 0.6 : 0.25);
		if (book.open().isEmpty() || (another && free > 0)) {
			int units = 1 + this.random.nextInt(Math.min(free, MOST_UNITS));
			return new ReservationHeld(this.resource.key(), Long.toString(book.last() + 1), units);
		}
		List<Map.Entry<String, Reservation>> open = List.copyOf(book.open().entrySet());
		Map.Entry<String, Reservation> one = open.get(this.random.nextInt(open.size()));
		return change(one.getKey(), one.getValue());
	}

	private ReservationEvent change(String number, Reservation reservation) {
		if (reservation.committed()) {
			return new ReservationReleased(this.resource.key(), number, reservation.units());
		}
		if (this.random.nextInt(5) == 0) {
			return new ReservationExpired(this.resource.key(), number, reservation.units());
		}
		return new ReservationCommitted(this.resource.key(), number, reservation.units());
	}

	/** Which part of the resource people want. */
	private double demand(double seconds) {
		return 0.55 + 0.4 * Math.sin(2 * Math.PI * (seconds + this.phase) / TIDE_SECONDS);
	}

	/** The number of the reservation that an event ends. */
	static String reservation(ReservationEvent event) {
		if (event instanceof ReservationReleased released) {
			return released.reservation();
		}
		if (event instanceof ReservationExpired expired) {
			return expired.reservation();
		}
		throw new IllegalArgumentException("Ends no reservation: " + event.getClass().getName());
	}

}
