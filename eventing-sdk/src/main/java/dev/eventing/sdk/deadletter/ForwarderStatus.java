package dev.eventing.sdk.deadletter;

/**
 * What the forwarder of dead letters is doing on this node.
 *
 * @param state its state
 * @param detail more about it, for people
 * @param forwarded how many letters this node has forwarded since it started
 * @param refused how many letters it found, since it started, that the dead-letter stream
 * can never take
 */
public record ForwarderStatus(ForwarderState state, String detail, long forwarded, long refused) {
}
