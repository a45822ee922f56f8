package dev.eventing.sdk.projector;

import java.util.List;
import java.util.Map;
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
 * @param columns what the rows of a table are made of, by table, where that is declared
 */
public record ReadModel(int version, Set<String> tables, @Nullable TableScript script, List<Reset> resets,
		Map<String, RowColumns> columns) {

	/** Nothing is declared. */
	public static final ReadModel NONE = new ReadModel(1, Set.of(), null, List.of());

	public ReadModel {
		tables = Set.copyOf(tables);
		resets = List.copyOf(resets);
		columns = Map.copyOf(columns);
	}

	/** Does not declare what rows are made of. */
	public ReadModel(int version, Set<String> tables, @Nullable TableScript script, List<Reset> resets) {
		this(version, tables, script, resets, Map.of());
	}

	/** What the rows of a table are made of. */
	public RowColumns columnsOf(String table) {
		return this.columns.getOrDefault(table, RowColumns.NONE);
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
