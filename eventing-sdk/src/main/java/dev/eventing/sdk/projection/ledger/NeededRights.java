package dev.eventing.sdk.projection.ledger;

import java.util.List;

/**
 * Whose rights a request waits for.
 *
 * @param role the role of the application
 * @param schemas the schemas besides the live one that it needs for that; of a move, and
 * a generation that is dropped, the only one
 */
public record NeededRights(String role, List<String> schemas) {

	public NeededRights {
		schemas = List.copyOf(schemas);
	}

}
