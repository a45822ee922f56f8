package dev.eventing.sdk.projection.ledger;

import java.util.List;

/**
 * Whose rights a request waits for.
 *
 * @param role the role of the application
 * @param schemas the schemas besides the live one that the request needs; a single one
 * for a move and for a dropped generation
 */
public record NeededRights(String role, List<String> schemas) {

	public NeededRights {
		schemas = List.copyOf(schemas);
	}

}
