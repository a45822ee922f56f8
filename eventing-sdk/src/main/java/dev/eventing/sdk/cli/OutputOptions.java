package dev.eventing.sdk.cli;

import picocli.CommandLine.Option;

/** How a command writes. */
final class OutputOptions {

	@Option(names = "--json", order = 110, description = "As JSON, for machines.")
	private boolean json;

	@Option(names = { "-v", "--verbose" }, order = 111, description = "Errors with their stack traces.")
	private boolean verbose;

	boolean isJson() {
		return this.json;
	}

	boolean isVerbose() {
		return this.verbose;
	}

}
