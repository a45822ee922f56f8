package dev.eventing.sdk.guarantees;

/**
 * The event of the guarantees' tests.
 *
 * @param account the stream it belongs to
 * @param version its place in that stream, from 1
 * @param amount what the read model adds up
 */
public record Deposited(String account, long version, long amount) {
}
