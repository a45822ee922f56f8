package dev.eventing.sdk.projector.rebuild;

import java.util.Locale;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.projection.tables.ReadModelTables;
import dev.eventing.sdk.projection.tables.ReadModelTablesException;
import dev.eventing.sdk.projector.ReadModel;
import dev.eventing.sdk.projector.TableScript;

/** Creates the tables of a generation beside the live one, and names their schema. */
final class GenerationTables {

	/** PostgreSQL cuts longer names; a number follows. */
	private static final int LONGEST_PREFIX = 50;

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

	/** The name of the schema of a generation that is not live. */
	static String schema(ProjectorId generation) {
		String projector = generation.base();
		String plain = projector.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9_]", "_");
		// PostgreSQL has names that begin like this for itself.
		String free = plain.startsWith("pg_") ? "of_" + plain : plain;
		String prefix = free.substring(0, Math.min(LONGEST_PREFIX, free.length()));
		// Other projectors must not have the same.
		String mark = prefix.equals(projector) ? "" : "_%04x".formatted(projector.hashCode() & 0xffff);
		return prefix + mark + "_g" + generation.generation();
	}

}
