package dev.eventing.sdk.cli;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/** A table whose columns are as wide as their content. */
final class Table {

	private static final int WIDEST = 60;

	private final List<List<String>> rows = new ArrayList<>();

	Table(String... headings) {
		this.rows.add(List.of(headings));
	}

	void row(@Nullable Object... cells) {
		List<String> row = new ArrayList<>();
		for (Object cell : cells) {
			row.add((cell != null) ? cut(Terminal.printable(cell.toString())) : "-");
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

	private static String cut(String text) {
		return (text.length() <= WIDEST) ? text : text.substring(0, WIDEST - 1) + "\u2026";
	}

}
