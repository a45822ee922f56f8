package dev.eventing.benchmark.measure;

import java.util.List;
import java.util.stream.Stream;

import dev.eventing.benchmark.contender.Side;
import org.jspecify.annotations.Nullable;

/**
 * All counted rounds of one contender in one comparison.
 *
 * @param comparison the comparison's name
 * @param contender the contender's id
 * @param title the contender's name for people
 * @param side who wrote it
 * @param loopByHand the id of the loop by hand it is compared with, or null for none
 * @param rounds its rounds, one or more
 */
public record Case(String comparison, String contender, String title, Side side, @Nullable String loopByHand,
		List<Measurement> rounds) {

	public Case {
		rounds = List.copyOf(rounds);
	}

	/** Events per second. */
	public Spread eventsPerSecond() {
		return Spread.of(this.rounds, Measurement::eventsPerSecond);
	}

	/** Processor time of this JVM for each event, in microseconds. */
	public Spread cpuMicrosPerEvent() {
		return Spread.of(this.rounds, Measurement::cpuMicrosPerEvent);
	}

	/** Processor time of the servers for each event, in microseconds. */
	public Spread serverCpuMicrosPerEvent() {
		return Spread.of(this.rounds, Measurement::serverCpuMicrosPerEvent);
	}

	/** Of each round, where they were measured. */
	public List<Latencies> latencies() {
		return this.rounds.stream().map(Measurement::latencies).flatMap(Stream::ofNullable).toList();
	}

	/** Of each round, where they were measured. */
	public List<Footprint> footprints() {
		return this.rounds.stream().map(Measurement::footprint).flatMap(Stream::ofNullable).toList();
	}

}
