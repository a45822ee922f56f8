package dev.eventing.benchmark.measure;

import org.jspecify.annotations.Nullable;

/**
 * The measurements of one round.
 *
 * @param events how many events were done
 * @param usage what that took
 * @param latencies of the single events, where they were measured
 * @param footprint of clients, where it was measured
 */
public record Measurement(long events, Usage usage, @Nullable Latencies latencies, @Nullable Footprint footprint) {

	private static final double MICROS_PER_SECOND = 1e6;

	/** Without footprint. */
	public Measurement(long events, Usage usage, @Nullable Latencies latencies) {
		this(events, usage, latencies, null);
	}

	/** How many events were done each second. */
	public double eventsPerSecond() {
		return this.events / this.usage.seconds();
	}

	/** Processor time of this JVM for each event. */
	public double cpuMicrosPerEvent() {
		return this.usage.cpuSeconds() * MICROS_PER_SECOND / this.events;
	}

	/** The part of this JVM's processor time that its compilers took, at most 1. */
	public double compilersShare() {
		double cpu = this.usage.cpuSeconds();
		return (cpu > 0) ? Math.min(1, this.usage.compilerSeconds() / cpu) : 0;
	}

	/** Processor time of the NATS and PostgreSQL servers for each event. */
	public double serverCpuMicrosPerEvent() {
		return this.usage.serverCpuSeconds() * MICROS_PER_SECOND / this.events;
	}

}
