package dev.eventing.sdk.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.operator.LetterView;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Exports letters with all their data, one JSON object per line. */
@Command(name = "export", description = { "Writes letters with payloads and stack traces, oldest first.",
		"Each line is a JSON object. A payload that is not text is in base64; see its 'encoding'." })
final class ExportCommand extends LetterCommand {

	@Mixin
	private final FilterOptions filter = new FilterOptions();

	@Option(names = { "-o", "--output" }, paramLabel = "FILE", order = 20,
			description = "Output file; default: standard output.")
	private @Nullable Path file;

	ExportCommand(Terminal terminal) {
		super(terminal);
	}

	@Override
	int run(DeadLetters letters) {
		long count = (this.file != null) ? toFile(letters, this.file) : write(letters, terminal().out());
		if (count > 0) {
			terminal().note((count == 1) ? "1 letter." : count + " letters.");
		}
		return (count > 0) ? ExitCode.OK : nothingFound();
	}

	private long toFile(DeadLetters letters, Path path) {
		try (PrintWriter lines = new PrintWriter(Files.newBufferedWriter(path, StandardCharsets.UTF_8))) {
			return write(letters, lines);
		}
		catch (IOException ex) {
			throw new UsageException("File '" + path + "' cannot be written. Consider another one.");
		}
	}

	private long write(DeadLetters letters, PrintWriter lines) {
		long[] count = { 0 };
		letters.forEach(this.filter.filter(), (letter) -> {
			lines.println(OutputOptions.JSON.writeValueAsString(LetterView.exported(letter)));
			count[0]++;
			if (lines.checkError()) {
				throw new UsageException("The export cannot be written. Consider a disk with enough space.");
			}
		});
		return count[0];
	}

}
