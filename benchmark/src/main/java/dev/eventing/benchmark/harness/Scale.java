package dev.eventing.benchmark.harness;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import dev.eventing.benchmark.report.Ratios;

/**
 * How much is measured.
 *
 * @param rounds how many rounds count, after those that do not
 * @param warmUpEvents the events of the first that does not
 * @param mostWarmUps how many do not, at most
 * @param roundSeconds how long a round is to take; its number of events follows from it
 * @param backlog the events a relay has to drain
 * @param backlogStreams of how many streams these are
 * @param paces events per second of the relays that are paced
 * @param paced how long these take
 * @param latency how long the rounds take that measure latency from end to end
 * @param grownRows how many rows {@code processed_events} has before a round
 * @param brief whether only those contenders take part that have a ratio
 */
public record Scale(int rounds, int warmUpEvents, int mostWarmUps, double roundSeconds, int backlog, int backlogStreams,
		List<Integer> paces, Duration paced, Duration latency, List<Long> grownRows, boolean brief) {

	private static final long MILLIS_PER_SECOND = 1_000;

	private static final int SMALLEST_ROUND = 156;

	private static final int A_MILLION = 1_000_000;

	private static final int ROUNDS_OF_PROJECTORS_ALONE = 5;

	/** What figures are published of. */
	public static Scale full() {
		return new Scale(3, 10_000, 16, 4, 300_000, 5_000, List.of(1_000, 5_000), Duration.ofSeconds(6),
				Duration.ofSeconds(20), List.of(1_000_000L, 10_000_000L), false);
	}

	/** All of it once in a minute; the figures say little. */
	public static Scale quick() {
		return new Scale(3, 312, 1, 0.2, 10_000, 500, List.of(1_000), Duration.ofMillis(750), Duration.ofMillis(1_000),
				List.of(100_000L), true);
	}

	/** Shows that all works. */
	public static Scale tiny() {
		return new Scale(1, 200, 1, 0.05, 1_000, 50, List.of(500), Duration.ofMillis(300), Duration.ofMillis(500),
				List.of(1_000L), true);
	}

	public Scale withRounds(int number) {
		return new Scale(number, this.warmUpEvents, this.mostWarmUps, this.roundSeconds, this.backlog,
				this.backlogStreams, this.paces, this.paced, this.latency, this.grownRows, this.brief);
	}

	/**
	 * The same for these comparisons alone; for all if none is named. Projectors alone
	 * have more rounds: the targets of their processor time are narrow.
	 */
	public Scale of(Set<String> comparisons) {
		boolean projectorsAlone = comparisons.equals(Set.of(Ratios.PROJECTOR));
		return (projectorsAlone && !this.brief) ? withRounds(ROUNDS_OF_PROJECTORS_ALONE) : this;
	}

	/** How long compilers may finish what they have to do before a round. */
	Duration patience() {
		return this.brief ? Duration.ZERO : Duration.ofSeconds(5);
	}

	/** How many events a read model is rebuilt from. */
	int rebuiltEvents() {
		return this.brief ? this.backlog : A_MILLION;
	}

	/** The most rows {@code processed_events} has before a round. */
	long mostRows() {
		return this.grownRows.get(this.grownRows.size() - 1);
	}

	/** How many clients follow a live view. */
	int clients() {
		return this.brief ? 50 : 1_000;
	}

	int pacedEvents(int perSecond) {
		return (int) (perSecond * this.paced.toMillis() / MILLIS_PER_SECOND);
	}

	int latencyEvents(int perSecond) {
		return (int) (perSecond * this.latency.toMillis() / MILLIS_PER_SECOND);
	}

	/**
	 * A round of {@link #roundSeconds} or up to twice as long for a contender of this
	 * speed when it warmed up, which is faster once it is warm. Of a few sizes, because
	 * each needs its own stream.
	 */
	int roundOf(double eventsPerSecond) {
		int size = SMALLEST_ROUND;
		while (size < eventsPerSecond * this.roundSeconds) {
			size *= 2;
		}
		return size;
	}

}
