package dev.eventing.sdk.projector;

import java.time.Duration;
import java.time.Instant;

import dev.eventing.sdk.event.RawEvent;

/** Where an event of a unit test comes from: settling it changes nothing. */
record NowhereOrigin(long sequence, RawEvent raw) implements Origin {

	@Override
	public Place place() {
		return new Place("S", this.sequence, Instant.EPOCH);
	}

	@Override
	public void acknowledge() {
	}

	@Override
	public void terminate(String reason) {
	}

	@Override
	public void giveBack() {
	}

	@Override
	public void giveBack(Duration delay) {
	}

	@Override
	public void inProgress() {
	}

}
