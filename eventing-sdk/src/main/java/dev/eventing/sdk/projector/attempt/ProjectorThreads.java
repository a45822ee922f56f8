package dev.eventing.sdk.projector.attempt;

import java.util.concurrent.ThreadFactory;

import dev.eventing.sdk.worker.PeriodicTasks;

/**
 * The threads that projectors share.
 *
 * @param lanes creates the threads of lanes and redrives; they may be virtual
 * @param tasks runs short periodic tasks
 */
public record ProjectorThreads(ThreadFactory lanes, PeriodicTasks tasks) {
}
