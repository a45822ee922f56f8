package dev.eventing.sdk.projection.ledger;

/**
 * The mark, in the definition of a projector's code, that each row of its read model
 * carries its generation. Such a read model has generations without separate tables.
 */
public final class RowsOfGenerations {

	/** Stands at the end of a definition. */
	public static final String MARK = " in rows of generations";

	private RowsOfGenerations() {
	}

	/** Whether the definition has the mark. */
	static boolean areIn(String definition) {
		return definition.endsWith(MARK);
	}

}
