package dev.eventing.sdk.projector;

import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.eventing.sdk.event.ProjectorId;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcOperations;

/**
 * What a projector writes to, as far as it declares that.
 *
 * @param version the version of the read model that it builds
 * @param tables the tables that it alone writes to, as a statement would name them
 * @param script what creates its tables where it is built beside the live one; null if
 * they are copied from the live ones
 * @param resets what empties the rest
 * @param columns what the rows of a table are made of, by table, where that is declared
 * @param rows what its rows are if each of them carries its generation, so that a
 * generation beside the live one needs no tables of its own; otherwise null
 * @param states the form of states that the rows have; null if they have none, or it is
 * not known
 */
public record ReadModel(int version, Set<String> tables, @Nullable TableScript script, List<Reset> resets,
		Map<String, RowColumns> columns, @Nullable Rows rows, @Nullable StateForm states) {

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

	/** A read model whose rows do not carry their generation. */
	public ReadModel(int version, Set<String> tables, @Nullable TableScript script, List<Reset> resets,
			Map<String, RowColumns> columns) {
		this(version, tables, script, resets, columns, null, null);
	}

	/** What the rows of a table are made of. */
	public RowColumns columnsOf(String table) {
		return this.columns.getOrDefault(table, RowColumns.NONE);
	}

	/**
	 * A read model whose rows carry their generation.
	 * @param states the form of the states that they have; null if it is not known
	 * @param reset empties the live generation
	 */
	public static ReadModel ofRows(int version, @Nullable StateForm states, Reset reset, Rows rows) {
		return new ReadModel(version, Set.of(), null, List.of(reset), Map.of(), rows, states);
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

	/** Whether a generation can stand beside the live one. */
	public boolean canStandBeside() {
		return isOfTablesAlone() || this.rows != null;
	}

	/**
	 * Deletes some rows of generations that are retired, in the transaction of the
	 * caller.
	 * @return the number of rows; 0 if none is left
	 */
	public int sweep(JdbcOperations caller, List<ProjectorId> gone) {
		return (this.rows != null && !gone.isEmpty()) ? this.rows.sweep(caller, gone) : 0;
	}

	/** Rows that carry their generation. */
	@FunctionalInterface
	public interface Rows {

		/**
		 * Deletes some rows of these generations, in the transaction of the caller.
		 * @return the number of rows; 0 if none is left
		 */
		int sweep(JdbcOperations caller, List<ProjectorId> gone);

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
