package dev.eventing.samples.dashboard.view;

import dev.eventing.samples.dashboard.event.ReservationCommitted;
import dev.eventing.samples.dashboard.event.ReservationEvent;
import dev.eventing.samples.dashboard.event.ReservationExpired;
import dev.eventing.samples.dashboard.event.ReservationHeld;
import dev.eventing.samples.dashboard.event.ReservationReleased;
import dev.eventing.samples.dashboard.event.ResourceOpened;
import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.liveview.LiveView;
import dev.eventing.sdk.projector.Source;

import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/**
 * How much of each resource is held and taken, from the events of its reservations. The
 * tenant is no part of the key: the SDK keeps the states of tenants apart.
 */
@Component
@Profile("projector")
@LiveView(value = OccupancyView.NAME, subject = "reservations.{tenant}.>", source = Source.EVENT_STORE)
public class OccupancyView {

	/** The view's name. */
	public static final String NAME = "occupancy";

	/** How long a slot of the chart is. */
	public static final long SLOT_SECONDS = 2;

	Occupancy initial() {
		return Occupancy.NONE;
	}

	String key(ReservationEvent event) {
		return event.resource();
	}

	Occupancy apply(Occupancy state, Event<ReservationEvent> event) {
		// The time of the event, not of a clock: a rebuild draws the same chart.
		return after(state, event.payload()).at(event.time().getEpochSecond() / SLOT_SECONDS);
	}

	private static Occupancy after(Occupancy state, ReservationEvent event) {
		if (event instanceof ResourceOpened opened) {
			return state.open(opened.title(), opened.units());
		}
		if (event instanceof ReservationHeld held) {
			return state.hold(held.units());
		}
		if (event instanceof ReservationCommitted committed) {
			return state.commit(committed.units());
		}
		if (event instanceof ReservationReleased released) {
			return state.release(released.units());
		}
		if (event instanceof ReservationExpired expired) {
			return state.expire(expired.units());
		}
		throw new IllegalArgumentException("No event of a reservation: " + event.getClass().getName());
	}

}
