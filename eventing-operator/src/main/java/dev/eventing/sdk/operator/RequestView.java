package dev.eventing.sdk.operator;

import java.time.Instant;

import dev.eventing.sdk.projection.ProjectionRequest;
import dev.eventing.sdk.projection.ScopedRebuild;
import dev.eventing.sdk.projection.Until;
import org.jspecify.annotations.Nullable;

/** A request for a projector's read model; see {@link ProjectionRequest}. */
public record RequestView(long id, String projector, String action, @Nullable Integer generation, boolean unchecked,
		boolean acceptsLostColumns, @Nullable String schema, @Nullable Integer rate, @Nullable Long maxBytes,
		@Nullable String until, @Nullable String part, String status, @Nullable String detail, String actor,
		@Nullable String reason, Instant requestedAt, Instant expiresAt, @Nullable Instant endedAt,
		@Nullable BackfillView backfill) {

	/** The view of those who may see all. */
	public static RequestView of(ProjectionRequest request) {
		return new RequestView(request.id(), request.projection(), request.what().action().name(),
				request.what().generation(), request.what().isUnchecked(), request.what().acceptsLostColumns(),
				request.what().schema(), rate(request.what()), request.what().build().maxBytes(),
				text(request.what().build().until()), part(request.what().part()), request.state().status().name(),
				request.state().detail(), request.by().actor(), request.by().reason(), request.requestedAt(),
				request.expiresAt(), request.endedAt(), BackfillView.of(request));
	}

	private static @Nullable Integer rate(ProjectionRequest.What what) {
		return (what.backfill() != null) ? what.backfill().rate() : what.build().rate();
	}

	private static @Nullable String text(@Nullable Until until) {
		return (until != null) ? until.text() : null;
	}

	private static @Nullable String part(@Nullable ScopedRebuild part) {
		return (part != null) ? part.scope().describe() : null;
	}

	/** The view within one tenant: reasons and details may quote data of others. */
	RequestView withinATenant() {
		return new RequestView(this.id, this.projector, this.action, this.generation, this.unchecked,
				this.acceptsLostColumns, this.schema, this.rate, this.maxBytes, null, null, this.status, null,
				this.actor, null, this.requestedAt, this.expiresAt, this.endedAt, null);
	}

}
