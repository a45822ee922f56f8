package dev.eventing.sdk.cli;

import dev.eventing.sdk.event.EventJson;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/** Options for a command's output. */
final class OutputOptions {

	/** With the settings of the JSON over HTTP. */
	static final JsonMapper JSON = EventJson.mapper();

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
