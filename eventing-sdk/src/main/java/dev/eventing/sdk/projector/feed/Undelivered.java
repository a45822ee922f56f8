package dev.eventing.sdk.projector.feed;

import java.time.Duration;

/**
 * Events wait at the source, this node has asked for them, and none is delivered; or the
 * same ones are delivered again and again, and not settled.
 *
 * @param since when the last one was handed over or settled, by {@link System#nanoTime}
 * @param why what is known of the reason, as text for operators
 */
public record Undelivered(long since, String why) {

	/** How long nothing was delivered. */
	public Duration lasts() {
		return Duration.ofNanos(System.nanoTime() - this.since);
	}

}
