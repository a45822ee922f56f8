package dev.eventing.sdk.projector.rebuild;

import dev.eventing.sdk.projection.tables.ReadModelTables;
import dev.eventing.sdk.projection.tables.ReadModelTablesException;
import dev.eventing.sdk.projector.ReadModel;
import dev.eventing.sdk.projector.TableScript;

/** Creates the tables of a generation beside the live one. */
final class GenerationTables {

	private GenerationTables() {
	}

	/**
	 * Creates them, unless each row of the read model carries its generation. Runs in the
	 * caller's transaction.
	 * @throws ReadModelTablesException if they cannot be created
	 */
	static void create(ReadModelTables tables, ReadModel readModel, String schema) {
		TableScript script = readModel.script();
		if (readModel.tables().isEmpty()) {
			return;
		}
		if (script == null) {
			tables.create(schema, readModel.tables());
			return;
		}
		try {
			tables.create(schema, readModel.tables(), script.text());
		}
		catch (ReadModelTablesException ex) {
			throw new ReadModelTablesException(script.location() + ": " + ex.getMessage());
		}
	}

}
