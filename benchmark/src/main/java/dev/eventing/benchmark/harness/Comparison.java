package dev.eventing.benchmark.harness;

import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;

import dev.eventing.benchmark.measure.Measurement;

/**
 * Contenders that do the same work.
 *
 * @param name names it on the command line
 * @param title names it for people
 * @param warmUp how many events the first round has, which is not counted
 * @param mostWarmUps how many rounds are not counted at most; there are as many as make
 * them all warm
 * @param mostRounds how many rounds count at most
 * @param size how many events a contender's rounds have, seeing what it did when it
 * warmed up
 * @param entries the contenders
 */
record Comparison(String name, String title, int warmUp, int mostWarmUps, int mostRounds,
		ToIntFunction<Measurement> size, List<Entry> entries) {

	private static final int AS_MANY_AS_THERE_ARE = Integer.MAX_VALUE;

	Comparison {
		entries = List.copyOf(entries);
	}

	/** Rounds as long as the scale wants them. */
	static Comparison ofRoundsInTime(String name, String title, Scale scale, List<Entry> entries) {
		return new Comparison(name, title, scale.warmUpEvents(), scale.mostWarmUps(), AS_MANY_AS_THERE_ARE,
				(warmUp) -> scale.roundOf(warmUp.eventsPerSecond()), entries);
	}

	/** Rounds of the same size for all, after two that are not counted. */
	static Comparison ofSize(String name, String title, int warmUp, int size, List<Entry> entries) {
		return new Comparison(name, title, warmUp, 2, AS_MANY_AS_THERE_ARE, (measured) -> size, entries);
	}

	/** Rounds at a pace of the harness. */
	static Comparison ofPace(String name, String title, Scale scale, int size, List<Entry> entries) {
		return new Comparison(name, title, size / 4, scale.mostWarmUps(), AS_MANY_AS_THERE_ARE, (measured) -> size,
				entries);
	}

	/**
	 * Rounds of the same size, which are long: one of a tenth of it and one that is whole
	 * do not count. A brief run has one that counts.
	 */
	static Comparison ofLongRounds(String name, String title, Scale scale, int size, List<Entry> entries) {
		return new Comparison(name, title, size / 10, scale.brief() ? 1 : 2, scale.brief() ? 1 : AS_MANY_AS_THERE_ARE,
				(measured) -> size, entries);
	}

	/** The same, where one round counts if the run is brief. */
	Comparison once(boolean brief) {
		return new Comparison(this.name, this.title, this.warmUp, this.mostWarmUps, brief ? 1 : this.mostRounds,
				this.size, this.entries);
	}

	/** The same of these contenders alone; of all if none is named. */
	Comparison of(Set<String> contenders) {
		return contenders.isEmpty() ? this
				: new Comparison(this.name, this.title, this.warmUp, this.mostWarmUps, this.mostRounds, this.size,
						this.entries.stream().filter((entry) -> contenders.contains(entry.id())).toList());
	}

}
