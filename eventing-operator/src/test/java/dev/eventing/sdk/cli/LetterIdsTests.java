package dev.eventing.sdk.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** A malformed id is refused before any database is asked. */
class LetterIdsTests {

	private static final String URL = "--url=jdbc:postgresql://127.0.0.1:1/none";

	private final StringWriter err = new StringWriter();

	@ParameterizedTest
	@ValueSource(strings = { "redrive L-1", "redrive 9c57e0c7-0c0b-4131-b10b-f34d1d4bf0cc L-1", "redrive 1-1-1-1-1",
			"discard L-1 --reason=why", "show L-1", "edit L-1 --original --reason=why" })
	void saysWhatAnIdLooksLike(String words) {
		assertThat(execute("dlq " + words + " " + URL)).isEqualTo(ExitCode.USAGE);
		assertThat(this.err.toString()).containsPattern("'(L-1|1-1-1-1-1)' is not the id of a letter")
			.contains("9c57e0c7-0c0b-4131-b10b-f34d1d4bf0cc", "eventing dlq list")
			.doesNotContain("Unmatched")
			.doesNotContain("Exception");
	}

	@Test
	void takesIdsAsTheyAreListed() {
		assertThat(execute("dlq show 9C57E0C7-0c0b-4131-b10b-f34d1d4bf0cc " + URL)).isEqualTo(ExitCode.ERROR);
		assertThat(this.err.toString()).contains("cannot be reached");
	}

	private int execute(String line) {
		PrintWriter out = new PrintWriter(new StringWriter(), true);
		return EventingCli.commandLine(new Terminal(out, new PrintWriter(this.err, true), false, false))
			.execute(line.split(" "));
	}

}
