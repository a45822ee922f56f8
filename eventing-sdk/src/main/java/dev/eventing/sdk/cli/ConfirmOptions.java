package dev.eventing.sdk.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What commands that change letters ask before and write down after. */
final class ConfirmOptions {

	@Option(names = "--all", order = 10, description = "All letters within reach.")
	private boolean all;

	@Option(names = "--dry-run", order = 11, description = "Only says what would be done.")
	private boolean dryRun;

	@Option(names = { "-y", "--yes" }, order = 12,
			description = "Does not ask. Needed where no person sits at a terminal.")
	private boolean yes;

	@Option(names = "--actor", paramLabel = "NAME", order = 13,
			description = "Who wants it, for the audit (the user of the system).")
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

	/** Says why not, if it is not confirmed. */
	boolean isConfirmed(String question, Terminal terminal) {
		if (this.yes) {
			return true;
		}
		if (!terminal.isInteractive()) {
			terminal.note(question + " Nobody can be asked here, so nothing is done. Consider --yes.");
			return false;
		}
		if (!terminal.confirms(question)) {
			terminal.note("Nothing is done.");
			return false;
		}
		return true;
	}

}
