package dev.eventing.soak.judge;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StallJudgeTests {

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private final StallJudge judge = new StallJudge(PATIENCE, 0);

	@Test
	void complainsOnceAboutAProjectorThatHasWorkAndSettlesNothing() {
		seconds(0, 30, (second) -> look(second, 100 + second, 50, 0, "OUT_OF_SERVICE"));
		assertThat(this.judge.complaints()).singleElement()
			.asString()
			.startsWith("stall: 'orders' settled nothing for 10 s, last fault no fault, 50 of 110 applied");
	}

	@Test
	void complainsApartIfHealthIsUpMeanwhile() {
		seconds(0, 12, (second) -> look(second, 100, 50, 0, "OUT_OF_SERVICE"));
		assertThat(this.judge.complaints()).hasSize(1);
		look(13, 100, 50, 0, "UP");
		look(14, 100, 50, 0, "UP");
		assertThat(this.judge.complaints()).hasSize(2).last().asString().startsWith("health UP during a stall");
	}

	@Test
	void complainsAgainAboutTheNextStall() {
		seconds(0, 11, (second) -> look(second, 100, 50, 0, "DOWN"));
		look(12, 100, 51, 0, "UP");
		seconds(13, 24, (second) -> look(second, 100, 51, 0, "DOWN"));
		assertThat(this.judge.complaints()).hasSize(2);
	}

	@Test
	void isPatientWhileAFaultLastsAndForSomeTimeAfterwards() {
		this.judge.faultBegins("NATS_KILLED");
		this.judge.faultBegins("NODE_KILLED");
		seconds(0, 30, (second) -> look(second, 100, 50, 0, "UP"));
		this.judge.faultEnds(nanos(31));
		seconds(32, 50, (second) -> look(second, 100, 50, 0, "UP"));
		this.judge.faultEnds(nanos(51));
		seconds(52, 60, (second) -> look(second, 100, 50, 0, "UP"));
		assertThat(this.judge.complaints()).isEmpty();
		look(61, 100, 50, 0, "UP");
		assertThat(this.judge.complaints()).hasSize(2).allSatisfy((words) -> assertThat(words).contains("NODE_KILLED"));
		assertThat(this.judge.longest()).containsEntry("NODE_KILLED", Duration.ofSeconds(61));
	}

	@Test
	void isPatientWhileAnOperatorHoldsAProjectorUpAndForAsLongAfterwards() {
		this.judge.holdsUp("orders");
		seconds(0, 30, (second) -> look(second, 100, 50, 0, "UP"));
		this.judge.letsGoOn("orders");
		seconds(31, 39, (second) -> look(second, 100, 50, 0, "UP"));
		assertThat(this.judge.complaints()).isEmpty();
		look(40, 100, 50, 0, "DOWN");
		assertThat(this.judge.complaints()).hasSize(1);
	}

	@Test
	void findsNothingWrongWithAProjectorThatHasNoWork() {
		seconds(0, 60, (second) -> look(second, 100, 90, 10, "UP"));
		assertThat(this.judge.complaints()).isEmpty();
		assertThat(this.judge.longest()).isEmpty();
	}

	@Test
	void findsNothingWrongWithAProjectorThatSettlesLittle() {
		seconds(0, 60, (second) -> look(second, 1000, 50 + second / 9, 0, "UP"));
		assertThat(this.judge.complaints()).isEmpty();
	}

	@Test
	void takesALetterForProgressAndARedriveToo() {
		seconds(0, 9, (second) -> look(second, 100, 50, 0, "UP"));
		look(10, 100, 50, 1, "UP");
		seconds(11, 19, (second) -> look(second, 100, 50, 1, "UP"));
		look(20, 100, 51, 0, "UP");
		assertThat(this.judge.complaints()).isEmpty();
	}

	@Test
	void doesNotTakeASilentNodeForOneThatIsUp() {
		seconds(0, 12, (second) -> this.judge
			.look(new Sample(nanos(second), 0, Map.of("orders", new Sample.Progress(100, 50, 0)), List.of())));
		assertThat(this.judge.complaints()).singleElement().asString().startsWith("stall");
	}

	@Test
	void doesNotCountTimeForWhichTheMachineStoodStill() {
		look(0, 0, 100, 50, 0, "UP");
		look(30, 25, 100, 50, 0, "UP");
		assertThat(this.judge.complaints()).isEmpty();
		look(35, 25, 100, 50, 0, "DOWN");
		assertThat(this.judge.complaints()).singleElement().asString().contains("settled nothing for 10 s");
	}

	private void look(int second, long expected, long applied, long letters, String health) {
		look(second, 0, expected, applied, letters, health);
	}

	private void look(int second, int late, long expected, long applied, long letters, String health) {
		this.judge.look(new Sample(nanos(second), nanos(late),
				Map.of("orders", new Sample.Progress(expected, applied, letters)),
				List.of(new NodeStatus(nanos(second), "UP", 0, ""), new NodeStatus(nanos(second), health, 0, ""))));
	}

	private static void seconds(int from, int to, Look look) {
		for (int second = from; second <= to; second++) {
			look.at(second);
		}
	}

	private static long nanos(int second) {
		return TimeUnit.SECONDS.toNanos(second);
	}

	/** A look at one second. */
	private interface Look {

		void at(int second);

	}

}
