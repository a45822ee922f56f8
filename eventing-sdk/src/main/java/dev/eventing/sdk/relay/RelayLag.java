package dev.eventing.sdk.relay;

import java.time.Duration;

/**
 * How far a relay is behind the event store.
 *
 * @param position the position up to which all events are published or recorded
 * @param events the number of committed events after that position, including those that
 * the relay's categories exclude; counted up to 10,000
 * @param estimated whether there are 10,000 events or more. Then {@code events} is the
 * number of positions up to the last event, including positions that were rolled back or
 * are not committed yet.
 * @param behind the time since the oldest of these events, or of the first 10,000, was
 * recorded, by the database's clock; zero if there is none
 */
public record RelayLag(long position, long events, boolean estimated, Duration behind) {
}
