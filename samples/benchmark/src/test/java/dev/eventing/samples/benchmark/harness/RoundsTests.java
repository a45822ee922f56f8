package dev.eventing.samples.benchmark.harness;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import dev.eventing.samples.benchmark.contender.Side;
import dev.eventing.samples.benchmark.measure.Case;
import dev.eventing.samples.benchmark.measure.Measurement;
import dev.eventing.samples.benchmark.measure.Usage;
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
		assertThat(this.played.subList(0, 4)).containsExactly("slow 10", "slow 100", "fast 10", "fast 100");
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
	void aContenderWarmsUpUntilItIsHardlyFasterTwice() throws Exception {
		double[] speeds = { 100, 9_000, 12_000, 12_100, 13_000, 12_000, 13_300, 13_000, 13_000 };
		Entry entry = new Entry("slow", "Slow to warm up", Side.SDK, (events) -> {
			this.played.add("slow " + events);
			return new Measurement(events, new Usage(events / speeds[this.played.size() - 1], 0, 0, 0), null);
		});
		Scale scale = Scale.full();
		this.rounds.play(Comparison.ofRoundsInTime("c", "C", scale, List.of(entry)));
		assertThat(this.played).hasSize(9)
			.startsWith("slow " + scale.warmUpEvents(), "slow " + scale.roundOf(100), "slow " + scale.roundOf(9_000))
			.endsWith("slow " + scale.roundOf(13_000), "slow " + scale.roundOf(13_000));
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

	private Entry entry(String id, double eventsPerSecond) {
		return new Entry(id, id, Side.SDK, (events) -> {
			this.played.add(id + " " + events);
			return new Measurement(events, new Usage(events / eventsPerSecond, 0, 0, 0), null);
		});
	}

}
