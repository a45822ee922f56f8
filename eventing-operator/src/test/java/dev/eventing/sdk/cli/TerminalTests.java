package dev.eventing.sdk.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TerminalTests {

	private final StringWriter out = new StringWriter();

	@Test
	void leavesNoControlCharactersInTextFromOutside() {
		assertThat(Terminal.printable("a\u001B[2J\nb\u202Ec\u0085")).isEqualTo("a\uFFFD[2J\uFFFDb\uFFFDc\uFFFD");
		assertThat(Terminal.printable(null)).isEmpty();
		assertThat(Terminal.printable("\u00E9 \u4E2D")).isEqualTo("\u00E9 \u4E2D");
		assertThat(Terminal.printableLines("a\r\n\tb\u001B[31m")).isEqualTo("a\n\tb\uFFFD[31m");
	}

	@Test
	void coloursOnlyWhereColoursAreWanted() {
		assertThat(terminal(false).red("wrong")).isEqualTo("wrong");
		assertThat(terminal(true).red("wrong")).isEqualTo("\u001B[31mwrong\u001B[0m");
	}

	@Test
	void makesColumnsAsWideAsWhatIsInThem() {
		Table table = new Table("NAME", "N");
		table.row("orders\n", 7);
		table.row(null, "x".repeat(100));
		table.print(terminal(false));
		assertThat(this.out.toString().lines()).containsExactly("NAME     N", "orders\uFFFD  7",
				"-        " + "x".repeat(59) + "\u2026");
	}

	/** It moves no other column. */
	@Test
	void cutsTextsOfTheLastColumnLater() {
		Table table = Table.endingInTexts("NAME", "ERROR");
		table.row("x".repeat(100), "y".repeat(500));
		table.print(terminal(false));
		assertThat(this.out.toString().lines()).last()
			.isEqualTo("x".repeat(59) + "\u2026  " + "y".repeat(399) + "\u2026");
	}

	private Terminal terminal(boolean coloured) {
		return new Terminal(new PrintWriter(this.out, true), new PrintWriter(new StringWriter(), true), false,
				coloured);
	}

}
