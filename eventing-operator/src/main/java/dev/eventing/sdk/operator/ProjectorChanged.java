package dev.eventing.sdk.operator;

/**
 * The result of a change of a projector.
 *
 * @param projector its name
 * @param changed whether it was, or would be, paused, resumed, demoted or promoted, or
 * its request cancelled; false if it was so before
 * @param dryRun whether nothing was changed
 * @param attended whether a node runs the projector, or stands by. A pause, a resume and
 * a promotion take effect once one does; a demotion holds from the next append on, and a
 * cancellation at once
 */
public record ProjectorChanged(String projector, boolean changed, boolean dryRun, boolean attended) {
}
