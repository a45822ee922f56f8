package dev.eventing.sdk.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.guarantees.ChildJvm;
import dev.eventing.sdk.test.timing.Patience;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** The jar that operators run, as they run it. */
final class CliProgram {

	private CliProgram() {
	}

	/**
	 * Starts a command.
	 * @param directory where its output is kept
	 */
	static Process start(Path directory, Map<String, String> environment, List<String> arguments) throws IOException {
		List<String> line = ChildJvm.eventing();
		line.addAll(arguments);
		ProcessBuilder builder = new ProcessBuilder(line).redirectOutput(directory.resolve("out").toFile())
			.redirectError(directory.resolve("err").toFile());
		builder.environment().keySet().removeIf((name) -> name.startsWith("EVENTING_") || name.contains("JAVA"));
		builder.environment().putAll(environment);
		return builder.start();
	}

	static Run end(Path directory, Process process) throws Exception {
		process.getOutputStream().close();
		assertThat(process.waitFor(Patience.PROCESS.toSeconds(), TimeUnit.SECONDS)).isTrue();
		return new Run(process.exitValue(), Files.readString(directory.resolve("out")),
				Files.readString(directory.resolve("err")));
	}

	/** The output of a command, and its exit code. */
	record Run(int exitCode, String out, String err) {

		JsonNode json() {
			return JsonMapper.shared().readTree(this.out);
		}

		List<JsonNode> lines() {
			return this.out.lines().map((line) -> JsonMapper.shared().readTree(line)).toList();
		}

	}

}
