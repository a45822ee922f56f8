package dev.eventing.sdk.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.deadletter.UnknownDeadLetterException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Gives a letter another payload for its redrives. */
@Command(name = "edit",
		description = { "Gives a letter another payload for its redrives.", "The original is kept beside it." })
final class EditCommand extends LetterCommand {

	@Parameters(paramLabel = "LETTER", description = "The letter's id.")
	private UUID letterId = new UUID(0, 0);

	@ArgGroup(multiplicity = "1")
	private Payload payload = new Payload();

	@Option(names = "--reason", paramLabel = "TEXT", required = true, order = 20, description = "Why, for the audit.")
	private String reason = "";

	@Option(names = "--actor", paramLabel = "NAME", order = 13,
			description = "Who wants it, for the audit (the user of the system).")
	private String actor = System.getProperty("user.name", "unknown");

	EditCommand(Terminal terminal) {
		super(terminal);
	}

	/** One or the other. */
	static final class Payload {

		@Option(names = "--payload", paramLabel = "FILE", order = 1, description = "The new payload, as it is.")
		private @Nullable Path file;

		@Option(names = "--original", order = 2, description = "The original payload again.")
		private boolean original;

	}

	@Override
	int run(DeadLetters letters) {
		Path file = this.payload.original ? null : this.payload.file;
		try {
			letters.edit(this.letterId, (file != null) ? Files.readAllBytes(file) : null, this.actor, this.reason);
		}
		catch (UnknownDeadLetterException ex) {
			return nothingFound();
		}
		catch (IOException ex) {
			throw new UsageException("File '" + file + "' cannot be read. Consider another one.");
		}
		if (!output().isJson()) {
			terminal().line("Redrives of letter " + this.letterId + " take "
					+ ((file != null) ? "the new payload." : "the original payload."));
		}
		return ExitCode.OK;
	}

}
