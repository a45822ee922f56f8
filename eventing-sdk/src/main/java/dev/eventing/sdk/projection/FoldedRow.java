package dev.eventing.sdk.projection;

import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import dev.eventing.sdk.store.Fold;
import org.jspecify.annotations.Nullable;

/**
 * A check that computes in Java what a row should be: for each stream a fold of the
 * events that the projector has applied, compared with the row of that stream. A method
 * with {@link Reconciliation} returns it in place of a query.
 *
 * <p>
 * A row that differs or is missing is a difference, and so is one whose stream has no
 * such events. All this is seen at one point in time. The events come page by page, so it
 * needs no more memory than one state and some rows. With {@link Reconciliation#buckets}
 * the SDK divides the streams.
 *
 * @param <S> the state's type
 * @param table the table, as a statement writes it, without a schema
 * @param streamColumn the column with the stream's id, of which each stream has one row
 * @param tenantColumn the column with the tenant; null if the ids of streams are unique
 * over all tenants
 * @param types the types of the events that are folded
 * @param fold computes the state; its snapshots are not used
 * @param columns computes the row from the state: values by column, such as Jackson
 * writes them, without the columns of the stream and the tenant, and for each state the
 * same columns; columns that are not there are not compared; empty if there must be no
 * row
 */
public record FoldedRow<S>(String table, String streamColumn, @Nullable String tenantColumn, Set<String> types,
		Fold<S> fold, Function<S, Map<String, ? extends @Nullable Object>> columns) {

	public FoldedRow {
		types = Set.copyOf(types);
		if (table.isBlank() || streamColumn.isBlank() || types.isEmpty()) {
			throw new IllegalArgumentException(
					"A fold is compared with the table '" + table + "', by its column '" + streamColumn
							+ "' and the event types " + types + ". Consider a name for each, and one type or more.");
		}
	}

	/** A check of a table whose streams have ids that are unique over all tenants. */
	public static <S> FoldedRow<S> of(String table, String streamColumn, Set<String> types, Fold<S> fold,
			Function<S, Map<String, ? extends @Nullable Object>> columns) {
		return new FoldedRow<>(table, streamColumn, null, types, fold, columns);
	}

	/**
	 * The same check of a table with a column for the tenant, which is part of its key.
	 */
	public FoldedRow<S> withTenant(String column) {
		return new FoldedRow<>(this.table, this.streamColumn, column, this.types, this.fold, this.columns);
	}

}
