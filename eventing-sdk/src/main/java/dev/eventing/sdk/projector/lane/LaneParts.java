package dev.eventing.sdk.projector.lane;

import dev.eventing.sdk.projector.delivery.ProjectorCounters;
import dev.eventing.sdk.projector.failure.FailureText;
import dev.eventing.sdk.projector.failure.Interrupts;
import dev.eventing.sdk.projector.failure.RepeatedFailures;

/**
 * The parts that a lane works with.
 *
 * @param followers parks events that follow a dead letter
 * @param failureHandler decides about events that fail
 * @param attempt applies events
 * @param counters counts what happens to events
 * @param interrupts clears interrupt flags that handlers leave
 * @param texts describes failures in the log
 * @param repeated notices that all events fail
 */
public record LaneParts(FollowerParking followers, FailureHandler failureHandler, LaneAttempt attempt,
		ProjectorCounters counters, Interrupts interrupts, FailureText texts, RepeatedFailures repeated) {
}
