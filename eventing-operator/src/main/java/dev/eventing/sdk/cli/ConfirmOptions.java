package dev.eventing.sdk.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Options of commands that change letters: confirmation before, and actor for the audit.
 */
final class ConfirmOptions {

	@Option(names = "--all", order = 10, description = "All letters that --tenant allows.")
	private boolean all;

	@Option(names = "--dry-run", order = 11, description = "Only shows what would be done.")
	private boolean dryRun;

	@Option(names = { "-y", "--yes" }, order = 12, description = "Does not ask. Required without a terminal.")
	private boolean yes;

	@Option(names = "--actor", paramLabel = "NAME", order = 13,
			description = "The actor, for the audit (default: the operating system's user).")
	private @Nullable String actor;

	boolean isAll() {
		return this.all;
	}

	boolean isDryRun() {
		return this.dryRun;
	}

	String actor() {
		return (this.actor != null) ? this.actor : System.getProperty("user.name", "unknown");
	}

	/** Whether the user is asked. */
	boolean isAsked() {
		return !this.yes;
	}

	/** Asks for confirmation. Prints why if the command is not confirmed. */
	boolean isConfirmed(String question, Terminal terminal) {
		if (this.yes) {
			return true;
		}
		if (!terminal.isInteractive()) {
			terminal.note(question + " There is no terminal for the answer, so nothing is done. Consider --yes.");
			return false;
		}
		if (!terminal.confirms(question)) {
			terminal.note("Nothing is done.");
			return false;
		}
		return true;
	}

}
