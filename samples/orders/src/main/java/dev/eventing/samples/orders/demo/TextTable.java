package dev.eventing.samples.orders.demo;

import java.util.ArrayList;
import java.util.List;

/** Text in columns: the first ones flush left, what begins like a number flush right. */
final class TextTable {

	private static final String GAP = "  ";

	private final List<List<String>> rows = new ArrayList<>();

	private TextTable(String... heads) {
		row((Object[]) heads);
	}

	static TextTable of(String... heads) {
		return new TextTable(heads);
	}

	TextTable row(Object... cells) {
		this.rows.add(List.of(cells).stream().map(Object::toString).toList());
		return this;
	}

	/** The lines, each indented. */
	List<String> lines() {
		List<String> lines = new ArrayList<>();
		for (List<String> row : this.rows) {
			StringBuilder line = new StringBuilder();
			for (int column = 0; column < row.size(); column++) {
				line.append(GAP).append(pad(row.get(column), column));
			}
			lines.add(line.toString().stripTrailing());
		}
		return lines;
	}

	private String pad(String cell, int column) {
		String space = " ".repeat(width(column) - cell.length());
		return isNumeric(column) ? space + cell : cell + space;
	}

	private int width(int column) {
		return this.rows.stream().mapToInt((row) -> row.get(column).length()).max().orElse(0);
	}

	/** Whether all cells below the head are numbers. */
	private boolean isNumeric(int column) {
		return this.rows.stream().skip(1).allMatch((row) -> row.get(column).matches("-?[\\d,]+(\\.\\d+)?"));
	}

}
