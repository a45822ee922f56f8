package dev.eventing.sdk.projection;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * How far a backfill is, as it was saved last. Its owner saves that every few seconds.
 *
 * @param events the events of its types that are settled
 * @param from the position of the event store after which it began
 * @param position the position up to which its events are settled
 * @param upTo the position at which it ends
 * @param begunAt when it began
 * @param updatedAt when this was saved
 */
public record BackfillProgress(long events, long from, long position, long upTo, Instant begunAt, Instant updatedAt) {

	/** How much of the event store it has passed. */
	public int percent() {
		return (this.upTo > this.from) ? (int) (100 * (this.position - this.from) / (this.upTo - this.from)) : 100;
	}

	/** The positions that it has passed in a second, on average; also over pauses. */
	public double positionsPerSecond() {
		double seconds = Duration.between(this.begunAt, this.updatedAt).toMillis() / 1000.0;
		return (seconds > 0) ? (this.position - this.from) / seconds : 0;
	}

	/** How long the rest takes at that rate; null while nothing is passed. */
	public @Nullable Duration timeLeft() {
		double rate = positionsPerSecond();
		return (rate > 0) ? Duration.ofSeconds(Math.round((this.upTo - this.position) / rate)) : null;
	}

}
