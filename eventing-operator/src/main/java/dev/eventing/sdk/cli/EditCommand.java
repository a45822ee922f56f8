package dev.eventing.sdk.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

import dev.eventing.sdk.deadletter.DeadLetters;
import dev.eventing.sdk.deadletter.UnknownDeadLetterException;
import dev.eventing.sdk.operator.EditView;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Sets another payload for a letter's redrives. */
@Command(name = "edit", description = { "Sets another payload for a letter's redrives.", "The original is kept." })
final class EditCommand extends LetterCommand {

	@Parameters(paramLabel = "LETTER", description = "The letter's id.")
	private UUID letterId = new UUID(0, 0);

	@ArgGroup(multiplicity = "1")
	private Payload payload = new Payload();

	@Option(names = "--reason", paramLabel = "TEXT", required = true, order = 20,
			description = "The reason, for the audit.")
	private String reason = "";

	@Option(names = "--actor", paramLabel = "NAME", order = 13,
			description = "The actor, for the audit (default: the operating system's user).")
	private String actor = System.getProperty("user.name", "unknown");

	EditCommand(Terminal terminal) {
		super(terminal);
	}

	/** Exactly one of the two options. */
	static final class Payload {

		@Option(names = "--payload", paramLabel = "FILE", order = 1, description = "File with the new payload.")
		private @Nullable Path file;

		@Option(names = "--original", order = 2, description = "Restores the original payload.")
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
		if (output().isJson()) {
			json(new EditView(this.letterId));
		}
		else {
			terminal().line("Redrives of letter " + this.letterId + " use "
					+ ((file != null) ? "the new payload." : "the original payload."));
		}
		return ExitCode.OK;
	}

}
