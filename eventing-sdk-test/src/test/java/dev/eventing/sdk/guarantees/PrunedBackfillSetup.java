package dev.eventing.sdk.guarantees;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;

import dev.eventing.sdk.projection.BackfillOptions;
import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.ProjectionRequest.Status;
import dev.eventing.sdk.projector.PruningOptions;

import static org.awaitility.Awaitility.await;

/** A backfill of a projector whose rows of {@code processed_events} are pruned. */
abstract class PrunedBackfillSetup extends BackfillSetup {

	volatile Duration ahead = Duration.ZERO;

	final WorldApplication pruning(Object accounts) {
		InstantSource time = () -> Instant.now().plus(this.ahead);
		return application(accounts).customize((context) -> {
			context.registerBean(Clock.class, () -> time.withZone(ZoneOffset.UTC));
			context.registerBean(PruningOptions.class,
					() -> new PruningOptions(true, Duration.ofDays(7), Duration.ofMillis(200)));
		});
	}

	/** All rows are old for a moment. No row is old any more when this returns. */
	final void prune() {
		this.ahead = Duration.ofDays(8);
		await().until(() -> this.world.count("select count(*) from eventing.processed_events") == 0);
		this.ahead = Duration.ZERO;
		for (int pass = 0; pass < 2; pass++) { // one may be under way
			Instant last = prunedAt();
			await().until(() -> prunedAt().isAfter(last));
		}
	}

	private Instant prunedAt() {
		return this.world.jdbc()
			.queryForObject("select pruned_at from eventing.projector_prunings", OffsetDateTime.class)
			.toInstant();
	}

	final String failed(List<String> types) {
		ProjectionRequest request = backfill(BackfillOptions.ofTypes(types));
		await().until(() -> find(request).state().status() == Status.FAILED);
		return String.valueOf(find(request).state().detail());
	}

}
