package dev.eventing.benchmark.harness;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import dev.eventing.benchmark.contender.Side;
import dev.eventing.benchmark.measure.Case;
import dev.eventing.benchmark.measure.Measurement;
import dev.eventing.benchmark.measure.Usage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RoundsTests {

	private final List<String> played = new ArrayList<>();

	private final StringWriter progress = new StringWriter();

	private final Rounds rounds = new Rounds(2, new Profile(null, Path.of("target")), new PrintWriter(this.progress));

	@Test
	void contendersTakeTurnsAndTheirWarmUpsDoNotCount() throws Exception {
		List<Case> cases = this.rounds
			.play(Comparison.ofSize("c", "C", 10, 100, List.of(entry("slow", 1), entry("fast", 10))));
		assertThat(this.played.subList(0, 4)).containsExactly("slow 10", "fast 10", "slow 100", "fast 100");
		assertThat(this.played.subList(4, 8)).containsExactly("slow 100", "fast 100", "fast 100", "slow 100");
		assertThat(cases).extracting(Case::contender).containsExactly("slow", "fast");
		assertThat(cases).allSatisfy((each) -> assertThat(each.rounds()).hasSize(2));
	}

	@Test
	void whoIsFasterGetsMoreEvents() throws Exception {
		Scale scale = Scale.full();
		this.rounds.play(Comparison.ofRoundsInTime("c", "C", scale, List.of(entry("slow", 100), entry("fast", 9_000))));
		assertThat(scale.roundOf(9_000)).isGreaterThan(scale.roundOf(100));
		assertThat(this.played).contains("slow " + scale.roundOf(100), "fast " + scale.roundOf(9_000));
	}

	@Test
	void allWarmUpUntilTheCompilersOfNoneAreAtWork() throws Exception {
		double[] slowCompilers = { 0.9, 0.04, 0.3, 0.05 };
		double[] fastCompilers = { 0.9, 0.06, 0, 0 };
		this.rounds.play(Comparison.ofPace("c", "C", Scale.full(), 6_000,
				List.of(compiled("slow", slowCompilers), compiled("fast", fastCompilers))));
		assertThat(this.played).hasSize(2 * 4 + 2 * 2)
			.startsWith("slow 1500", "fast 1500", "slow 6000", "fast 6000", "slow 6000", "fast 6000");
	}

	@Test
	void whoNeverIsWarmIsMeasuredAllTheSame() throws Exception {
		Scale scale = Scale.full();
		this.rounds.play(Comparison.ofPace("c", "C", scale, 6_000, List.of(compiled("slow", 0.5))));
		assertThat(this.played).hasSize(scale.mostWarmUps() + 2);
	}

	@Test
	void roundsGrowWithTheSpeedOfWhoWarmsUp() throws Exception {
		double[] speeds = { 100, 9_000, 13_000 };
		double[] compilers = { 1, 1, 1, 0 };
		Entry entry = new Entry("slow", "Slow to warm up", Side.SDK, (events) -> {
			this.played.add("slow " + events);
			double seconds = events / speeds[Math.min(this.played.size(), speeds.length) - 1];
			double compiling = compilers[Math.min(this.played.size(), compilers.length) - 1];
			return new Measurement(events, new Usage(seconds, seconds, seconds * compiling, 0, 0), null);
		});
		Scale scale = Scale.full();
		this.rounds.play(Comparison.ofRoundsInTime("c", "C", scale, List.of(entry)));
		assertThat(this.played)
			.startsWith("slow " + scale.warmUpEvents(), "slow " + scale.roundOf(100), "slow " + scale.roundOf(9_000))
			.endsWith("slow " + scale.roundOf(13_000), "slow " + scale.roundOf(13_000));
	}

	@Test
	void longRoundsWarmUpWithATenthAndCountOnceInABriefRun() throws Exception {
		this.rounds.play(Comparison.ofLongRounds("c", "C", Scale.full(), 1_000, List.of(entry("full", 1))));
		this.rounds.play(Comparison.ofLongRounds("c", "C", Scale.quick(), 1_000, List.of(entry("brief", 1))));
		assertThat(this.played).containsExactly("full 100", "full 1000", "full 1000", "full 1000", "brief 100",
				"brief 1000");
	}

	@Test
	void aWrongResultEndsTheRun() {
		Entry wrong = new Entry("wrong", "Wrong", Side.PEER, (events) -> {
			throw new WrongResultException("Contender 'wrong' loses events.");
		});
		assertThatExceptionOfType(WrongResultException.class)
			.isThrownBy(() -> this.rounds.play(Comparison.ofSize("c", "C", 1, 1, List.of(wrong))));
	}

	@Test
	void everyRoundIsALineOfProgress() throws Exception {
		this.rounds.play(Comparison.ofSize("c", "C", 10, 100, List.of(entry("one", 1))));
		assertThat(this.progress.toString().lines()).hasSize(5).anyMatch((line) -> line.contains("round 2"));
	}

	/**
	 * Of these parts of the processor time the compilers take the first in the first
	 * round, and so on, and the last in all further ones.
	 */
	private Entry compiled(String id, double... shares) {
		AtomicInteger rounds = new AtomicInteger();
		return new Entry(id, id, Side.SDK, (events) -> {
			this.played.add(id + " " + events);
			double share = shares[Math.min(rounds.getAndIncrement(), shares.length - 1)];
			return new Measurement(events, new Usage(6, 2, 2 * share, 0, 0), null);
		});
	}

	private Entry entry(String id, double eventsPerSecond) {
		return new Entry(id, id, Side.SDK, (events) -> {
			this.played.add(id + " " + events);
			return new Measurement(events, new Usage(events / eventsPerSecond, 0, 0, 0, 0), null);
		});
	}

}
