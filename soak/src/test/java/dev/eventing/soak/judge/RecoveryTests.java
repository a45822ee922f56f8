package dev.eventing.soak.judge;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RecoveryTests {

	private static final Set<String> NONE = Set.of();

	private final Recovery recovery = new Recovery(List.of("orders", "stock"), 0);

	@Test
	void isOverOnceAllCommitAndAllHaveAppliedTheFreshEvent() {
		look(1, Set.of("orders"), NONE, NONE);
		look(2, Set.of("orders", "stock"), Set.of("orders"), NONE);
		assertThat(this.recovery.isOver()).isFalse();
		look(3, Set.of("orders", "stock"), Set.of("stock"), NONE);
		assertThat(this.recovery.isOver()).isTrue();
		assertThat(this.recovery.commits()).isEqualTo(Duration.ofSeconds(2));
		assertThat(this.recovery.fresh()).isEqualTo(Duration.ofSeconds(3));
	}

	@Test
	void expectsNothingOfAProjectorThatAnOperatorHasHeldUp() {
		look(1, NONE, NONE, Set.of("stock"));
		look(2, Set.of("orders"), Set.of("orders"), NONE);
		assertThat(this.recovery.isOver()).isTrue();
	}

	@Test
	void namesWhatHasNotRecovered() {
		look(1, Set.of("orders", "stock"), Set.of("orders"), NONE);
		assertThat(this.recovery.fresh()).isNull();
		assertThat(this.recovery.missing()).isEqualTo("no commit of [], no fresh event in [stock]");
	}

	@Test
	void areSummedUpAsMedianAndMaximum() {
		Recoveries recoveries = new Recoveries();
		assertThat(recoveries.lines()).isEmpty();
		recoveries.add(after(1, 4));
		recoveries.add(after(3, 9));
		recoveries.add(after(2, 5));
		assertThat(recoveries.lines()).hasSize(2)
			.first()
			.asString()
			.endsWith("commit again: 3 of 3, median 2.0 s, maximum 3.0 s");
		assertThat(recoveries.lines().get(1)).endsWith("3 of 3, median 5.0 s, maximum 9.0 s");
	}

	@Test
	void areCountedApartIfTheyAreGivenUp() {
		Recoveries recoveries = new Recoveries();
		recoveries.add(after(1, 4));
		recoveries.add(after(2, 5));
		recoveries.add(this.recovery);
		assertThat(recoveries.lines().get(1)).endsWith("2 of 3, median 4.5 s, maximum 5.0 s");
	}

	private static Recovery after(int commits, int fresh) {
		Recovery recovery = new Recovery(List.of("orders"), 0);
		recovery.look(TimeUnit.SECONDS.toNanos(commits), Set.of("orders"), NONE, NONE);
		recovery.look(TimeUnit.SECONDS.toNanos(fresh), NONE, Set.of("orders"), NONE);
		return recovery;
	}

	private void look(int second, Set<String> committed, Set<String> applied, Set<String> heldUp) {
		this.recovery.look(TimeUnit.SECONDS.toNanos(second), committed, applied, heldUp);
	}

}
