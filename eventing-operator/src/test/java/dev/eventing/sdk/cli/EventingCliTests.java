package dev.eventing.sdk.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

/** The values that the command line takes. */
class EventingCliTests {

	private final StringWriter err = new StringWriter();

	@TempDir
	Path directory;

	@ParameterizedTest
	@ValueSource(strings = { "-vQ3x", "-hello", "-Vx", "-y", "--dry-run", "--tenant=x", "-" })
	void takesAValueThatBeginsLikeAnOption(String id) {
		assertThat(stream("--stream=" + id)).isEqualTo(id);
	}

	@Test
	void takesAValueThatOnlyBeginsLikeAnOptionAlsoBehindABlank() {
		assertThat(stream("--stream", "-vQ3x")).isEqualTo("-vQ3x");
	}

	/** Such an id must not become what is in a file of its name. */
	@Test
	void readsNoFileOfArguments() throws IOException {
		Path file = Files.writeString(this.directory.resolve("arguments"), "order-1");
		assertThat(stream("--stream", "@" + file)).isEqualTo("@" + file);
		assertThat(stream("--stream", "@@order")).isEqualTo("@@order");
	}

	@ParameterizedTest
	@ValueSource(strings = { "--dry-run", "-y", "--yes", "--actor=anna" })
	void doesNotTakeAnOptionForAValueThatIsForgotten(String option) {
		assertThat(eventing().execute("erase", "--tenant=acme", "--stream=order-1", "--reason", option))
			.isEqualTo(ExitCode.USAGE);
		assertThat(this.err.toString()).contains(
				"Expected parameter for option '--reason' but found '" + option + "'. Consider --reason=" + option);
	}

	private String stream(String... stream) {
		String[] line = new String[stream.length + 3];
		line[0] = "erase";
		line[1] = "--tenant=acme";
		System.arraycopy(stream, 0, line, 2, stream.length);
		line[line.length - 1] = "--reason=a test";
		return eventing().parseArgs(line).subcommand().matchedOptionValue("--stream", "");
	}

	private CommandLine eventing() {
		return EventingCli.commandLine(
				new Terminal(new PrintWriter(new StringWriter(), true), new PrintWriter(this.err, true), false, false));
	}

}
