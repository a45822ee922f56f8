package dev.eventing.sdk.projector.scope;

/** A table of the read model does not declare what the rebuild of a part needs. */
final class UndeclaredOwnershipException extends ScopeRefusedException {

	private static final long serialVersionUID = 1L;

	/**
	 * Names what is missing.
	 * @param what what the column would hold
	 * @param attributes what declares it
	 */
	UndeclaredOwnershipException(String table, String what, String attributes) {
		super("Table '" + table + "' does not declare which column holds " + what
				+ " of a row. Consider @Projector(rows = @ReadModelRows(table = \"" + table + "\", " + attributes
				+ ")), or a rebuild of all of the read model.");
	}

}
