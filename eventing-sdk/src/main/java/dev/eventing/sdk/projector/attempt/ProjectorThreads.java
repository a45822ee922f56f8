package dev.eventing.sdk.projector.attempt;

import java.util.concurrent.ThreadFactory;

import dev.eventing.sdk.worker.PeriodicTasks;

/**
 * What projectors run on.
 *
 * @param lanes makes the threads of lanes; they may be virtual
 * @param tasks runs what is short and comes again and again
 */
public record ProjectorThreads(ThreadFactory lanes, PeriodicTasks tasks) {
}
