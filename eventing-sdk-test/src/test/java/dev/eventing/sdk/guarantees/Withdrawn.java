package dev.eventing.sdk.guarantees;

/**
 * Another event of the guarantees' tests.
 *
 * @param account the stream it belongs to
 */
public record Withdrawn(String account) {
}
