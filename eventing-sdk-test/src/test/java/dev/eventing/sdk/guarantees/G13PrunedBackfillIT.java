package dev.eventing.sdk.guarantees;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;

import dev.eventing.sdk.projection.BackfillOptions;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projector.PruningOptions;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * G13: a backfill applies no event twice because rows of {@code processed_events} grow
 * old while it lasts.
 */
class G13PrunedBackfillIT extends BackfillSetup {

	private volatile Duration ahead = Duration.ZERO;

	@Test
	void appliesNoEventTwiceWhoseRowGrowsOldMeanwhile() {
		appendBoth(1, 20);
		applyWithFormer();
		InstantSource time = () -> Instant.now().plus(this.ahead);
		WorldApplication next = application(new Next()).customize((context) -> {
			context.registerBean(Clock.class, () -> time.withZone(ZoneOffset.UTC));
			context.registerBean(PruningOptions.class,
					() -> new PruningOptions(true, Duration.ofDays(7), Duration.ofMillis(200)));
		});
		try (AnnotationConfigApplicationContext application = this.world.start(next)) {
			ProjectionRequest request = backfill(BackfillOptions.ofTypes(List.of(NOTED, DEPOSITED)).rate(25));
			await().until(() -> find(request).state().status() == Status.RUNNING);
			this.ahead = Duration.ofDays(8);
			awaitDone(request);
			assertThat(this.world.count("select count(*) from tally")).as("deposits were applied before").isZero();
			assertThatAllAreIn("noted", 20);
			await("rows are pruned after it")
				.until(() -> this.world.count("select count(*) from eventing.processed_events") == 0);
		}
	}

}
