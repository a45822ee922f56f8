package dev.eventing.sdk.store;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LogPollsTests {

	private final AppendSignal signal = new AppendSignal();

	private final LogPolls polls = new LogPolls(this.signal, Duration.ofMillis(100));

	@Test
	void looksAgainSoonAfterEventsThatNoSignalAnnounced() {
		find();
		assertThat(this.polls.isInVain(true)).isFalse();
		assertThat(this.polls.nextWait(false)).isEqualTo(Duration.ofMillis(1));
	}

	@Test
	void leavesTheNextEventsToSignalsAfterSomeThatASignalAnnounced() {
		this.signal.appended();
		find();
		assertThat(this.polls.isInVain(true)).isTrue();
		assertThat(this.polls.isInVain(false)).as("there was more to read").isFalse();
		assertThat(this.polls.nextWait(false)).isEqualTo(Duration.ofMillis(16));
	}

	@Test
	void looksOftenAgainOnceALookFindsWhatNoSignalAnnounced() {
		this.signal.appended();
		find();
		find();
		assertThat(this.polls.isInVain(true)).isFalse();
		assertThat(this.polls.nextWait(false)).isEqualTo(Duration.ofMillis(1));
	}

	@Test
	void aSignalSinceTheLookEndsTheWait() throws InterruptedException {
		this.signal.appended();
		find();
		this.signal.appended();
		assertThat(this.polls.isInVain(true)).isFalse();
		assertThat(this.polls.await(false)).isTrue();
	}

	@Test
	void looksAgainSoonAtAHole() throws InterruptedException {
		this.signal.appended();
		find();
		assertThat(this.polls.nextWait(true)).isEqualTo(Duration.ofMillis(1));
		assertThat(this.polls.nextWait(true)).isEqualTo(Duration.ofMillis(2));
		this.signal.appended();
		assertThat(this.polls.await(true)).as("most appends do not fill it").isFalse();
	}

	@Test
	void waitsLongerAndLongerUpToTheLongest() {
		find();
		Duration wait = Duration.ZERO;
		for (int waits = 0; waits < 8; waits++) {
			Duration next = this.polls.nextWait(false);
			assertThat(next).isGreaterThan(wait);
			wait = next;
		}
		assertThat(wait).isEqualTo(Duration.ofMillis(100));
		assertThat(this.polls.nextWait(false)).isEqualTo(Duration.ofMillis(100));
	}

	private void find() {
		this.polls.look();
		this.polls.found();
	}

}
