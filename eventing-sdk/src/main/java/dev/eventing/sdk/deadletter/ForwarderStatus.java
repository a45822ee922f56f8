package dev.eventing.sdk.deadletter;

/**
 * The status of the forwarder of dead letters on this node.
 *
 * @param state its state
 * @param detail more information about the state, as text for operators
 * @param forwarded the number of letters that this node has forwarded since it started
 * @param refused the number of letters that the dead-letter stream can never accept and
 * that this node found since it started
 */
public record ForwarderStatus(ForwarderState state, String detail, long forwarded, long refused) {
}
