package dev.eventing.samples.benchmark.measure;

import org.jspecify.annotations.Nullable;

/**
 * What one round took.
 *
 * @param events how many events were done
 * @param usage what that took
 * @param latencies of the single events, where they were measured
 */
public record Measurement(long events, Usage usage, @Nullable Latencies latencies) {

	/** How many events were done each second. */
	public double eventsPerSecond() {
		return this.events / this.usage.seconds();
	}

}
