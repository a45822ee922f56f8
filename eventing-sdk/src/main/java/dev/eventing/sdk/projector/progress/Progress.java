package dev.eventing.sdk.projector.progress;

import dev.eventing.sdk.projector.ProjectorLag;

/** How far one projector is, asked of the servers, whichever node runs it. */
interface Progress {

	ProjectorLag lag();

	/** Begins to wait for a position of the event store. */
	Wait waitFor(long position);

	/** For one thread. */
	@FunctionalInterface
	interface Wait {

		/** Whether the projector has settled everything up to the position. */
		boolean isOver();

	}

}
