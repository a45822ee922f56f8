package dev.eventing.sdk.projection.ledger;

import dev.eventing.sdk.projection.Behind;

/**
 * What a node reports of a projector.
 *
 * @param projector its name
 * @param version the newest version of it that the node has
 * @param scripted whether a script creates the tables of that version
 * @param state its state on this node
 * @param detail more information, without payloads
 * @param behind how far it lags, as far as the node knows
 */
public record NodeReport(String projector, int version, boolean scripted, String state, String detail, Behind behind) {
}
