package dev.eventing.sdk.projector.source;

import java.util.function.Supplier;

import dev.eventing.sdk.worker.SupervisedWorker;

/**
 * Reads, beside the intake, which events the server gave up.
 *
 * @param worker its thread
 * @param alarm supplies what operators must know of it, as an addition to the state of
 * the projector, or an empty text; for any thread
 */
public record AdvisoryReader(SupervisedWorker worker, Supplier<String> alarm) {
}
