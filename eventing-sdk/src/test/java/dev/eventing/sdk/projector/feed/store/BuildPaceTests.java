package dev.eventing.sdk.projector.feed.store;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BuildPaceTests {

	private static final int PAGE = 500;

	private long now;

	private @Nullable String strain;

	private int looks;

	@Test
	void readsNoMoreThanTheRate() {
		BuildPace pace = pace(1000);
		assertThat(pace.describe()).isEqualTo("at most 1,000/s, as requested");
		assertThat(read(pace, Duration.ofSeconds(10), 100_000)).isBetween(9_800, 10_000);
		assertThat(this.looks).isZero();
	}

	@Test
	void readsInPartsAndNotOneByOne() {
		BuildPace pace = pace(1000);
		assertThat(pace.grant(PAGE)).isZero();
		pass(Duration.ofMillis(50));
		assertThat(pace.grant(PAGE)).isZero();
		pass(Duration.ofMillis(50));
		assertThat(pace.grant(PAGE)).isEqualTo(100);
		assertThat(pace.grant(3)).isEqualTo(3);
	}

	@Test
	void doesNotMakeUpForATimeInWhichItReadNothing() {
		BuildPace pace = pace(1000);
		pass(Duration.ofHours(1));
		assertThat(pace.grant(PAGE)).isEqualTo(200);
	}

	@Test
	void readsOneEventInASecondIfThatIsTheRate() {
		BuildPace pace = pace(1);
		assertThat(read(pace, Duration.ofSeconds(10), 100_000)).isBetween(9, 10);
	}

	@Test
	void isNotHeldUpWhereNobodySuffers() {
		BuildPace pace = pace(null);
		for (int second = 0; second < 5; second++) {
			assertThat(read(pace, Duration.ofSeconds(1), 40_000)).isEqualTo(40_000);
		}
		assertThat(this.looks).isEqualTo(5);
		assertThat(pace.describe()).isNull();
		assertThat(pace.takeNews()).isFalse();
	}

	@Test
	void halvesItsSpeedAtEachLookDownToTheFloor() {
		BuildPace pace = pace(null);
		this.strain = "the live read model is 4 s behind";
		read(pace, Duration.ofSeconds(1), 1600);
		assertThat(pace.describe()).isEqualTo("throttled to 792/s: the live read model is 4 s behind");
		assertThat(pace.takeNews()).isTrue();
		assertThat(pace.takeNews()).isFalse();
		assertThat(read(pace, Duration.ofSeconds(1), 1600)).isBetween(600, 800);
		for (int second = 0; second < 10; second++) {
			read(pace, Duration.ofSeconds(1), 1600);
		}
		assertThat(pace.describe()).startsWith("throttled to 100/s");
		assertThat(read(pace, Duration.ofSeconds(10), 16_000)).isBetween(800, 1000);
	}

	@Test
	void speedsUpAgainUntilItIsNotHeldUpAnyMore() {
		BuildPace pace = pace(null);
		this.strain = "a replica of the database is 3 s behind";
		read(pace, Duration.ofSeconds(1), 1600);
		this.strain = null;
		int before = read(pace, Duration.ofSeconds(1), 1600);
		int after = read(pace, Duration.ofSeconds(1), 1600);
		assertThat(after).isGreaterThan(before);
		assertThat(pace.describe()).endsWith("/s, and speeding up");
		for (int second = 0; second < 10; second++) {
			read(pace, Duration.ofSeconds(1), 1600);
		}
		assertThat(pace.describe()).isNull();
		assertThat(pace.takeNews()).isTrue();
		assertThat(read(pace, Duration.ofSeconds(1), 1600)).isEqualTo(1600);
	}

	private BuildPace pace(@Nullable Integer rate) {
		return new BuildPace(rate, () -> {
			this.looks++;
			return this.strain;
		}, () -> this.now);
	}

	private void pass(Duration time) {
		this.now += time.toNanos();
	}

	/** Reads as fast as it may for this time, and as there are events. */
	private int read(BuildPace pace, Duration time, int available) {
		int sum = 0;
		int steps = (int) time.toMillis() / 10;
		for (int step = 1; step <= steps; step++) {
			pass(Duration.ofMillis(10));
			int there = (int) ((long) available * step / steps) - sum;
			int granted = pace.grant(there);
			assertThat(granted).isBetween(0, there);
			pace.took(granted);
			sum += granted;
		}
		return sum;
	}

}
