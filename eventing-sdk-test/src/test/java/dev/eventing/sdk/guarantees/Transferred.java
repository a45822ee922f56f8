package dev.eventing.sdk.guarantees;

/**
 * An event that concerns two accounts.
 *
 * @param from the account that pays, or empty if none does
 * @param to the account that is paid
 * @param amount how much
 */
public record Transferred(String from, String to, long amount) {
}
