package dev.eventing.sdk.cli;

import java.util.Locale;

import dev.eventing.sdk.projection.BackfillProgress;
import dev.eventing.sdk.projection.ProjectionRequest;
import org.jspecify.annotations.Nullable;

/** The reason why a request waits, or its progress. */
final class RequestDetail {

	private RequestDetail() {
	}

	/** One line; null if neither is known. */
	static @Nullable String of(ProjectionRequest request) {
		BackfillProgress progress = request.state().progress();
		if (progress == null || request.state().status() != ProjectionRequest.Status.RUNNING) {
			return request.state().detail();
		}
		String text = String.format(Locale.ROOT, "%,d events, position %d of %d (%d %%)", progress.events(),
				progress.position(), progress.upTo(), progress.percent());
		return (progress.timeLeft() == null) ? text : text + String.format(Locale.ROOT,
				", %,.0f positions/s, %d s left", progress.positionsPerSecond(), progress.timeLeft().toSeconds());
	}

}
