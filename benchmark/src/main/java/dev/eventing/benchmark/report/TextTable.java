package dev.eventing.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Text in columns: the first flush left, the others flush right. */
final class TextTable {

	private static final String GAP = "  ";

	private final List<List<String>> rows = new ArrayList<>();

	TextTable(String... heads) {
		row((Object[]) heads);
	}

	TextTable row(Object... cells) {
		this.rows.add(Stream.of(cells).map(Object::toString).toList());
		return this;
	}

	/** The lines, each indented. */
	List<String> lines() {
		return this.rows.stream().map(this::line).toList();
	}

	private String line(List<String> row) {
		StringBuilder line = new StringBuilder();
		for (int column = 0; column < row.size(); column++) {
			String cell = row.get(column);
			String space = " ".repeat(width(column) - cell.length());
			line.append(GAP).append((column == 0) ? cell + space : space + cell);
		}
		return line.toString().stripTrailing();
	}

	private int width(int column) {
		return this.rows.stream().mapToInt((row) -> row.get(column).length()).max().orElse(0);
	}

}
