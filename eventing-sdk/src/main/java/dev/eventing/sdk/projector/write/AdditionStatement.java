package dev.eventing.sdk.projector.write;

import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.eventing.sdk.projector.write.AdditionTarget.Column;
import org.jspecify.annotations.Nullable;

/**
 * The single statement that adds to all rows of a table, by its unique index. PostgreSQL
 * sorts the rows, so every lane locks them in the order of their keys. PostgreSQL also
 * does the last step of the sum: keys that differ in Java can be equal in PostgreSQL, and
 * a statement can change a row only once.
 */
final class AdditionStatement {

	private final AdditionTarget target;

	private final List<String> key;

	private final List<String> deltas;

	AdditionStatement(AdditionTarget target, SortedSet<String> deltas) {
		this.target = target;
		this.key = List.copyOf(target.key());
		this.deltas = List.copyOf(deltas);
	}

	/** The SQL text. Its parameters are arrays of text, one for each column. */
	String sql() {
		List<String> columns = new ArrayList<>(this.key);
		columns.addAll(this.deltas);
		String places = IntStream.rangeClosed(1, this.key.size())
			.mapToObj(Integer::toString)
			.collect(Collectors.joining(", "));
		return """
				insert into %s as t (%s)
				select %s, %s
				  from unnest(%s) as u (%s)
				 group by %s
				 order by %s
				on conflict (%s) do update set %s""".formatted(this.target.table(),
				list(columns, AdditionStatement::quoted),
				list(this.key, (name) -> "u." + quoted(name) + "::" + column(name).type()),
				list(this.deltas, this::sum), list(columns, (name) -> "?::text[]"),
				list(columns, AdditionStatement::quoted), places, places, list(this.key, AdditionStatement::quoted),
				list(this.deltas, this::addition));
	}

	/**
	 * The sum is null if no event of the batch adds to the column in this row. A new row
	 * then gets zero, as from the default of the column. If the column's default is null,
	 * it gets null.
	 */
	private String sum(String name) {
		Column column = column(name);
		String sum = "sum(u." + quoted(name) + "::numeric)";
		return (column.filled() ? "coalesce(" + sum + ", 0)" : sum) + "::" + column.type();
	}

	private String addition(String name) {
		String column = quoted(name);
		return column + " = coalesce(coalesce(t." + column + ", 0::" + column(name).type() + ") + excluded." + column
				+ ", t." + column + ")";
	}

	private Column column(String name) {
		return this.target.column(name);
	}

	private static String quoted(String name) {
		return '"' + name + '"';
	}

	private static String list(List<String> names, Function<String, String> sql) {
		return names.stream().map(sql).collect(Collectors.joining(", "));
	}

	/** Sets the parameters. */
	void bind(PreparedStatement statement, List<AddedRow> rows) throws SQLException {
		int parameter = 0;
		for (int at = 0; at < this.key.size(); at++) {
			int place = at;
			bind(statement, ++parameter, rows, (row) -> row.key().get(place));
		}
		for (String name : this.deltas) {
			bind(statement, ++parameter, rows, (row) -> text(row.sums().get(name)));
		}
	}

	private static @Nullable String text(@Nullable BigDecimal sum) {
		return (sum != null) ? sum.toPlainString() : null;
	}

	private static void bind(PreparedStatement statement, int parameter, List<AddedRow> rows,
			Function<AddedRow, @Nullable String> text) throws SQLException {
		@Nullable String[] texts = new @Nullable String[rows.size()];
		for (int at = 0; at < texts.length; at++) {
			texts[at] = text.apply(rows.get(at));
		}
		statement.setArray(parameter, statement.getConnection().createArrayOf("text", texts));
	}

}
