package dev.eventing.sdk.relay;

import java.time.Duration;

/**
 * How far a relay is behind the event store.
 *
 * @param position up to where everything is published or recorded
 * @param events how many committed events lie behind that position, those included that
 * the relay's categories leave out; counted up to 10,000
 * @param estimated whether there are 10,000 or more: then {@code events} is how many
 * positions there are up to the last event, which is too many by those that were rolled
 * back or are not committed yet
 * @param behind how long ago the oldest of these was recorded, or of the first 10,000, by
 * the database's clock; zero if there is none
 */
public record RelayLag(long position, long events, boolean estimated, Duration behind) {
}
