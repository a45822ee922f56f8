package dev.eventing.sdk.cli;

import picocli.CommandLine.Option;

/** Options of commands that change a projector or its read model. */
final class ChangeOptions {

	@Option(names = "--dry-run", order = 11, description = "Only shows what would be done.")
	private boolean dryRun;

	@Option(names = "--actor", paramLabel = "NAME", order = 13,
			description = "The actor, for the audit (default: the operating system's user).")
	private String actor = System.getProperty("user.name", "unknown");

	boolean isDryRun() {
		return this.dryRun;
	}

	String actor() {
		return this.actor;
	}

}
