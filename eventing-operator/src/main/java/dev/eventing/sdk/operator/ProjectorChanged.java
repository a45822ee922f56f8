package dev.eventing.sdk.operator;

/**
 * The result of a change of a projector.
 *
 * @param projector its name
 * @param changed whether it was, or would be, paused, resumed, demoted or promoted, or
 * its request cancelled; false if it was so before
 * @param dryRun whether nothing was changed
 * @param attended whether a node runs the projector, or stands by; otherwise the change
 * takes effect once one starts
 */
public record ProjectorChanged(String projector, boolean changed, boolean dryRun, boolean attended) {
}
