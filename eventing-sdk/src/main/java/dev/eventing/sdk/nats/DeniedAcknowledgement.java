package dev.eventing.sdk.nats;

/**
 * An acknowledgement that a server denied, so that its event comes again.
 *
 * @param at when, by {@link System#nanoTime}
 * @param words what the server reported, with the time
 */
public record DeniedAcknowledgement(long at, String words) {
}
