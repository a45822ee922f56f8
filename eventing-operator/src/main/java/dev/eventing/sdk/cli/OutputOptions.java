package dev.eventing.sdk.cli;

import picocli.CommandLine.Option;

/** Options for a command's output. */
final class OutputOptions {

	@Option(names = "--json", order = 110, description = "JSON output, for programs.")
	private boolean json;

	@Option(names = { "-v", "--verbose" }, order = 111, description = "Prints stack traces of errors.")
	private boolean verbose;

	boolean isJson() {
		return this.json;
	}

	boolean isVerbose() {
		return this.verbose;
	}

}
