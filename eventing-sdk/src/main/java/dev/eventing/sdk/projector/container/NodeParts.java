package dev.eventing.sdk.projector.container;

import dev.eventing.sdk.projector.ProjectorServices;
import dev.eventing.sdk.projector.attempt.ProjectorThreads;
import dev.eventing.sdk.projector.failure.FailureText;
import dev.eventing.sdk.projector.redrive.RedrivePoll;

/**
 * What all projectors of this node share.
 *
 * @param services the application's services, and the SDK's
 * @param threads the threads that projectors share
 * @param redrivePoll asks for letters that are to be redriven
 * @param texts describes failures in the log
 */
record NodeParts(ProjectorServices services, ProjectorThreads threads, RedrivePoll redrivePoll, FailureText texts) {
}
