package dev.eventing.samples.dashboard.event;

/** A fact about what can be reserved, or about a reservation of it. */
public sealed interface ReservationEvent
		permits ResourceOpened, ReservationHeld, ReservationCommitted, ReservationReleased, ReservationExpired {

	/**
	 * The reserved resource, such as {@code rooms}: unique within its tenant, and the id
	 * of its event stream.
	 */
	String resource();

}
