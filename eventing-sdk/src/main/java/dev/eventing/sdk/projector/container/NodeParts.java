package dev.eventing.sdk.projector.container;

import java.util.concurrent.ThreadFactory;

import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.failure.FailureText;
import dev.eventing.sdk.projector.redrive.RedrivePoll;
import dev.eventing.sdk.worker.PeriodicTasks;

/**
 * What all projectors of this node share.
 *
 * @param services the application's services, and the SDK's
 * @param laneThreads creates the threads of lanes and redrives; they may be virtual
 * @param tasks runs short periodic tasks
 * @param redrivePoll asks for letters that are to be redriven
 * @param texts describes failures in the log
 */
record NodeParts(ProjectorServices services, ThreadFactory laneThreads, PeriodicTasks tasks, RedrivePoll redrivePoll,
		FailureText texts) {
}
