package dev.eventing.sdk.projection.ledger;

import java.util.List;
import java.util.Map;

import dev.eventing.sdk.projection.Behind;
import dev.eventing.sdk.projection.tables.OwnedRows.Ownership;

/**
 * A node's report of a projector.
 *
 * @param projector its name
 * @param version the newest version of it that the node has
 * @param scripted whether a script creates the tables of that version
 * @param state its state on this node
 * @param detail more information, without payloads
 * @param behind how far it lags, as far as the node knows
 * @param ownership which rows belong to a stream, as declared by each version that the
 * node has
 */
public record NodeReport(String projector, int version, boolean scripted, String state, String detail, Behind behind,
		Map<Integer, List<Ownership>> ownership) {

	public NodeReport {
		ownership = Map.copyOf(ownership);
	}

	/** Reports nothing of rows. */
	public NodeReport(String projector, int version, boolean scripted, String state, String detail, Behind behind) {
		this(projector, version, scripted, state, detail, behind, Map.of());
	}

}
