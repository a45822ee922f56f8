package dev.eventing.sdk.projector.container;

import java.time.Instant;

import dev.eventing.sdk.projection.Behind;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.ProjectorState;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.projector.control.PauseSwitch;
import dev.eventing.sdk.projector.delivery.ProjectorCounters;
import dev.eventing.sdk.projector.feed.CurrentState;
import org.jspecify.annotations.Nullable;

/**
 * Creates the runs of one generation of a projector, which share their counters.
 * Thread-safe.
 *
 * @param node what all projectors of this node share
 * @param pause whether the projector is paused
 * @param counters counts over all runs
 */
record ProjectorRuns(NodeParts node, PauseSwitch pause, ProjectorCounters counters) {

	ProjectorServices services() {
		return this.node.services();
	}

	/** Creates a run, and starts nothing. */
	RunningProjector create(ProjectorEndpoint version, RunContext run) {
		ProjectorAssembly parts = new ProjectorAssembly(version, this.node, this.pause, this.counters, run);
		return new RunningProjector(version, parts, this.counters, this.node.tasks(), run.lease());
	}

	/** How far a run lags, as far as this node knows; unknown without one. */
	Behind behind(@Nullable RunningProjector run) {
		return (run != null) ? run.behind(services().clock()) : Behind.UNKNOWN;
	}

	/** The status of a projector that is not started. */
	ProjectorStatus stopped(String projector) {
		return idle(projector, new CurrentState.Entry(ProjectorState.STOPPED, "stopped", Instant.EPOCH));
	}

	/** The status while nothing runs. */
	ProjectorStatus idle(String projector, CurrentState.Entry state) {
		return new ProjectorStatus(projector, state.state(), state.detail(), state.since(), 0, 0, 0,
				this.counters.snapshot());
	}

}
