package dev.eventing.sdk.operator;

import java.util.UUID;

import dev.eventing.sdk.deadletter.RedriveProgress;

/** The progress of a redrive; see {@link RedriveProgress}. */
public record ProgressView(UUID redriveId, long letters, long waiting, long resolved, long parked, long discarded,
		boolean over) {

	/** The progress as JSON. */
	public static ProgressView of(RedriveProgress progress) {
		return new ProgressView(progress.redriveId(), progress.letters(), progress.waiting(), progress.resolved(),
				progress.parked(), progress.discarded(), progress.isOver());
	}

}
