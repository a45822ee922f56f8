package dev.eventing.sdk.cli;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/** A table whose columns are as wide as their content. */
final class Table {

	private static final int WIDEST = 60;

	/** Of a last column with texts: it moves no other column. */
	private static final int WIDEST_END = 400;

	private final int widestEnd;

	private final List<List<String>> rows = new ArrayList<>();

	Table(String... headings) {
		this(WIDEST, headings);
	}

	private Table(int widestEnd, String... headings) {
		this.widestEnd = widestEnd;
		this.rows.add(List.of(headings));
	}

	/** A table whose last column has texts. */
	static Table endingInTexts(String... headings) {
		return new Table(WIDEST_END, headings);
	}

	void row(@Nullable Object... cells) {
		List<String> row = new ArrayList<>();
		for (Object cell : cells) {
			int widest = (row.size() == cells.length - 1) ? this.widestEnd : WIDEST;
			row.add((cell != null) ? cut(Terminal.printable(cell.toString()), widest) : "-");
		}
		this.rows.add(row);
	}

	void print(Terminal terminal) {
		int[] widths = new int[this.rows.get(0).size()];
		for (List<String> row : this.rows) {
			for (int column = 0; column < widths.length; column++) {
				widths[column] = Math.max(widths[column], row.get(column).length());
			}
		}
		for (int number = 0; number < this.rows.size(); number++) {
			StringBuilder line = new StringBuilder();
			for (int column = 0; column < widths.length; column++) {
				line.append(("%-" + widths[column] + "s  ").formatted(this.rows.get(number).get(column)));
			}
			String text = line.toString().stripTrailing();
			terminal.line((number == 0) ? terminal.bold(text) : text);
		}
	}

	private static String cut(String text, int widest) {
		return (text.length() <= widest) ? text : text.substring(0, widest - 1) + "\u2026";
	}

}
