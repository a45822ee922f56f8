package dev.eventing.sdk.observability;

import dev.eventing.sdk.event.ProjectorId;
import io.micrometer.core.instrument.Tags;

/** How the meters of projectors are named, whatever generation they measure. */
final class ProjectorMeters {

	static final String PREFIX = "eventing.projector.";

	private ProjectorMeters() {
	}

	/** The tags of the meters of a projector in a role. */
	static Tags tags(ProjectorId projector, String role) {
		return Tags.of("projector", projector.tag(), "role", role);
	}

}
