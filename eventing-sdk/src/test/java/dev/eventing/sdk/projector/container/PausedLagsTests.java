package dev.eventing.sdk.projector.container;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.eventing.sdk.nats.DurableGoneException;
import dev.eventing.sdk.nats.NatsUnavailableException;
import dev.eventing.sdk.projection.Behind;
import dev.eventing.sdk.projector.ProjectorLag;
import dev.eventing.sdk.projector.ProjectorProgress;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PausedLagsTests {

	private final List<String> asked = new ArrayList<>();

	@Test
	void asksForEach() {
		PausedLags lags = new PausedLags(new Progress(), () -> true);
		assertThat(lags.of("a")).isEqualTo(new Behind(7L, Duration.ofSeconds(1)));
		assertThat(lags.of("gone")).isEqualTo(Behind.UNKNOWN);
		assertThat(lags.of("b").events()).isEqualTo(7);
	}

	@Test
	void asksNotAgainAfterNatsDidNotAnswer() {
		PausedLags lags = new PausedLags(new Progress(), () -> true);
		assertThat(lags.of("silent")).isEqualTo(Behind.UNKNOWN);
		assertThat(lags.of("a")).isEqualTo(Behind.UNKNOWN);
		assertThat(this.asked).containsExactly("silent");
	}

	@Test
	void asksNobodyWithoutAConnection() {
		assertThat(new PausedLags(new Progress(), () -> false).of("a")).isEqualTo(Behind.UNKNOWN);
		assertThat(this.asked).isEmpty();
	}

	private final class Progress implements ProjectorProgress {

		@Override
		public ProjectorLag lag(String projector) {
			PausedLagsTests.this.asked.add(projector);
			return switch (projector) {
				case "silent" -> throw new NatsUnavailableException("of the test", null);
				case "gone" -> throw new DurableGoneException("of the test");
				default -> new ProjectorLag(7, Duration.ofSeconds(1));
			};
		}

		@Override
		public boolean awaitPosition(String projector, long position, Duration timeout) {
			return false;
		}

	}

}
