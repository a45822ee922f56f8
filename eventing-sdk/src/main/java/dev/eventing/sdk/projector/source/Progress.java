package dev.eventing.sdk.projector.source;

import dev.eventing.sdk.projector.ProjectorLag;

/** The progress of one projector, from the servers, on whichever node it runs. */
public interface Progress {

	ProjectorLag lag();

	/** Creates a wait for a position of the event store. */
	Wait waitFor(long position);

	/** A wait. For one thread. */
	@FunctionalInterface
	interface Wait {

		/** Whether the projector has settled everything up to the position. */
		boolean isOver();

	}

}
