package dev.eventing.sdk.projector.source;

import dev.eventing.sdk.projection.ledger.Filling;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorServices;
import org.jspecify.annotations.Nullable;

/** Knows the source of each projector. */
public final class EventSources {

	private EventSources() {
	}

	/** The source of a projector whose generation is live. */
	public static EventSource of(ProjectorEndpoint endpoint, ProjectorServices services) {
		return endpoint.readsEventStore() ? new StoreSource(endpoint, services) : new StreamSource(endpoint, services);
	}

	/**
	 * The source of a projector from a start to a stop.
	 * @param filling the generation that it fills; null if it continues after its place
	 */
	public static RunSource forRun(ProjectorEndpoint endpoint, ProjectorServices services, @Nullable Filling filling) {
		return (filling != null && filling.stream() != null) ? new StreamLogSource(endpoint, services, filling)
				: of(endpoint, services);
	}

}
