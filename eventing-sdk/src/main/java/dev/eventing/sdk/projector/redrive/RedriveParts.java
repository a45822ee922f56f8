package dev.eventing.sdk.projector.redrive;

import dev.eventing.sdk.projector.attempt.TransientFailures;
import dev.eventing.sdk.projector.delivery.DeliveryDecoder;
import dev.eventing.sdk.projector.delivery.ProjectorCounters;
import dev.eventing.sdk.projector.failure.FailureText;
import dev.eventing.sdk.projector.transaction.HandlerTransaction;

/**
 * The parts that redrives work with.
 *
 * @param handlers runs the handlers
 * @param decoder finds the handler of a letter
 * @param transientFailures waits out what is not about a letter
 * @param counters counts what happens to letters
 * @param texts describes failures in the log
 */
public record RedriveParts(HandlerTransaction handlers, DeliveryDecoder decoder, TransientFailures transientFailures,
		ProjectorCounters counters, FailureText texts) {
}
