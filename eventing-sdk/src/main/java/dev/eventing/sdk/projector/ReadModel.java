package dev.eventing.sdk.projector;

import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * What a projector writes to, as far as it declares that.
 *
 * @param version the version of the read model that it builds
 * @param tables the tables that it alone writes to, as a statement would name them
 * @param script what creates its tables where it is built beside the live one; null if
 * they are copied from the live ones
 * @param resets what empties the rest
 * @param rows which rows of its tables belong to a stream, for erasures
 */
public record ReadModel(int version, Set<String> tables, @Nullable TableScript script, List<Reset> resets,
		Set<StreamRows> rows) {

	/** Nothing is declared. */
	public static final ReadModel NONE = new ReadModel(1, Set.of(), null, List.of(), Set.of());

	public ReadModel {
		tables = Set.copyOf(tables);
		resets = List.copyOf(resets);
		rows = Set.copyOf(rows);
	}

	/** Whether the read model can be emptied. */
	public boolean isDeclared() {
		return !this.tables.isEmpty() || !this.resets.isEmpty();
	}

	/**
	 * Whether all of it lies in declared tables, as a build beside the live one needs.
	 */
	public boolean isOfTablesAlone() {
		return !this.tables.isEmpty() && this.resets.isEmpty();
	}

	/**
	 * Which rows of a table belong to a stream of the event store: those with its tenant
	 * and its id. An erasure deletes them.
	 *
	 * @param table one of the declared tables
	 * @param tenantColumn the column with the tenant
	 * @param streamColumn the column with the stream id
	 * @param streamPrefix how stream ids begin, where the column has the rest only; else
	 * empty
	 */
	public record StreamRows(String table, String tenantColumn, String streamColumn, String streamPrefix) {
	}

	/** Empties a part of the read model, in the transaction of the caller. */
	@FunctionalInterface
	public interface Reset {

		/**
		 * Empties it.
		 * @throws Exception the exception of the application, not wrapped
		 */
		void reset() throws Exception;

	}

}
