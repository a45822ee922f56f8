package dev.eventing.sdk.projector.delivery;

import java.time.Duration;
import java.time.Instant;

import dev.eventing.sdk.event.EventPlace;
import dev.eventing.sdk.event.RawEvent;

/** Where an event of a unit test comes from: settling it changes nothing. */
public record NowhereOrigin(long sequence, RawEvent raw) implements Origin {

	@Override
	public EventPlace place() {
		return new EventPlace("S", this.sequence, Instant.EPOCH);
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
