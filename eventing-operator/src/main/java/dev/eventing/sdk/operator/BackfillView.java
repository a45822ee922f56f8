package dev.eventing.sdk.operator;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.eventing.sdk.projection.BackfillOptions;
import dev.eventing.sdk.projection.BackfillProgress;
import dev.eventing.sdk.projection.ProjectionRequest;
import org.jspecify.annotations.Nullable;

/** The events and the progress of a backfill; see {@link BackfillOptions}. */
public record BackfillView(List<String> types, @Nullable String handler, @Nullable Long to,
		@Nullable Progress progress) {

	static @Nullable BackfillView of(ProjectionRequest request) {
		BackfillOptions options = request.what().backfill();
		BackfillProgress progress = request.state().progress();
		return (options != null) ? new BackfillView(List.copyOf(options.types()), options.handler(), options.to(),
				(progress != null) ? Progress.of(progress) : null) : null;
	}

	/** How far a backfill is; see {@link BackfillProgress}. */
	public record Progress(long events, long position, long upTo, int percent, double positionsPerSecond,
			@Nullable Long secondsLeft, Instant begunAt, Instant updatedAt) {

		static Progress of(BackfillProgress progress) {
			Duration left = progress.timeLeft();
			return new Progress(progress.events(), progress.position(), progress.upTo(), progress.percent(),
					progress.positionsPerSecond(), (left != null) ? (Long) left.toSeconds() : null, progress.begunAt(),
					progress.updatedAt());
		}

	}

}
