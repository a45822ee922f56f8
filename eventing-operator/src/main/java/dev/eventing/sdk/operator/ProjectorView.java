package dev.eventing.sdk.operator;

import java.time.Duration;
import java.time.Instant;

import dev.eventing.sdk.projection.ProjectorOverview;
import org.jspecify.annotations.Nullable;

/** A projector at one moment; see {@link ProjectorOverview}. */
public record ProjectorView(String name, int generation, String role, String status, @Nullable String detail,
		boolean paused, @Nullable Long position, @Nullable Long behindEvents, @Nullable Double behindSeconds,
		@Nullable String owner, @Nullable Long openLetters, @Nullable Instant updatedAt) {

	/** The view of those who may see all. */
	public static ProjectorView of(ProjectorOverview overview) {
		return new ProjectorView(overview.name(), overview.generation().number(), overview.generation().role(),
				overview.status().state(), overview.status().detail(), overview.status().paused(), overview.position(),
				overview.behind().events(), seconds(overview.behind().time()), overview.owner(), overview.openLetters(),
				overview.updatedAt());
	}

	/**
	 * The view within one tenant: no counts of all, no detail that may quote data.
	 */
	ProjectorView withinATenant() {
		return new ProjectorView(this.name, this.generation, this.role, this.status, null, this.paused, null, null,
				null, this.owner, null, this.updatedAt);
	}

	private static @Nullable Double seconds(@Nullable Duration time) {
		return (time != null) ? Double.valueOf(time.toMillis() / 1000.0) : null;
	}

}
