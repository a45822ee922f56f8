package dev.eventing.sdk.relay;

import java.time.Duration;

/**
 * How far a relay is behind the event store.
 *
 * @param position up to where everything is published or recorded
 * @param events how many committed events lie behind that position, those included that
 * the relay's categories leave out
 * @param behind how long ago the oldest of these was recorded, by the database's clock;
 * zero if there is none
 */
public record RelayLag(long position, long events, Duration behind) {
}
