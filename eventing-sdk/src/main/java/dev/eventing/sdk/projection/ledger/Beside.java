package dev.eventing.sdk.projection.ledger;

import java.util.List;

import dev.eventing.sdk.projection.ProjectionGeneration.Status;

/**
 * A generation beside the live one.
 *
 * @param generation its number
 * @param status its status
 * @param schema the schema of its tables
 * @param tables its tables
 */
public record Beside(int generation, Status status, String schema, List<String> tables) {

	public Beside {
		tables = List.copyOf(tables);
	}

	/** Why it is not switched to if it is {@code PAST}. */
	public String past() {
		return "Generation " + this.generation + " shows the read model as it was, and is never switched to. Retire it,"
				+ " and build another.";
	}

}
