package dev.eventing.sdk.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.test.timing.Patience;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** The jar that operators run, as they run it. */
final class CliProgram {

	private static final Path JAR = Path
		.of(System.getProperty("eventing.cli.jar", "../eventing-sdk/target/eventing-cli.jar"));

	private final Path archive;

	private CliProgram(Path archive) {
		this.archive = archive;
	}

	/**
	 * The program with its classes as a first command has loaded them: it starts sooner.
	 * @param archives where that is kept
	 * @param first the first command
	 */
	static CliProgram archivedIn(Path archives, String... first) throws Exception {
		CliProgram program = new CliProgram(archives.resolve("classes.jsa"));
		List<String> line = java("-XX:ArchiveClassesAtExit=" + program.archive);
		line.addAll(List.of(first));
		Process process = new ProcessBuilder(line).redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.redirectError(ProcessBuilder.Redirect.DISCARD)
			.start();
		assertThat(process.waitFor(Patience.PROCESS.toSeconds(), TimeUnit.SECONDS)).isTrue();
		return program;
	}

	private static List<String> java(String option) {
		return new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", option, "-jar", JAR.toString()));
	}

	/**
	 * Starts a command.
	 * @param directory where its output is kept
	 */
	Process start(Path directory, Map<String, String> environment, List<String> arguments) throws IOException {
		List<String> line = java("-XX:SharedArchiveFile=" + this.archive);
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

	/** What a command printed, and how it ended. */
	record Run(int exitCode, String out, String err) {

		JsonNode json() {
			return JsonMapper.shared().readTree(this.out);
		}

		List<JsonNode> lines() {
			return this.out.lines().map((line) -> JsonMapper.shared().readTree(line)).toList();
		}

	}

}
