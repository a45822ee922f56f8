package dev.eventing.sdk.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import dev.eventing.sdk.event.TenantId;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/**
 * The common part of all commands that need the application's code: they run the
 * application's jar, which runs the command instead of starting, with the database of its
 * own configuration.
 */
@Command(mixinStandardHelpOptions = true, sortOptions = true, usageHelpAutoWidth = true)
abstract class ApplicationCommand implements Callable<Integer> {

	/** How the line with the result begins. */
	private static final String RESULT = "{\"eventingCommand\":";

	/** How many lines are shown of an application that has given no result. */
	private static final int LAST_LINES = 40;

	private final Terminal terminal;

	@Option(names = "--application", paramLabel = "JAR", order = 90,
			description = "The executable jar of the application, with Spring Boot; else EVENTING_APPLICATION.")
	private @Nullable Path application;

	@Option(names = "--java", paramLabel = "PATH", order = 91,
			description = "The program java that runs it (default: that of this command).")
	private @Nullable Path java;

	@Option(names = "--tenant", paramLabel = "TENANT", order = 1, description = "Of this tenant only.")
	private @Nullable TenantId tenant;

	@Parameters(paramLabel = "ARGUMENT", arity = "0..*",
			description = "Arguments of the application, after --, such as --spring.profiles.active=production.")
	private List<String> arguments = List.of();

	@Mixin
	private final OutputOptions output = new OutputOptions();

	ApplicationCommand(Terminal terminal) {
		this.terminal = terminal;
	}

	Terminal terminal() {
		return this.terminal;
	}

	/** The name of the command in the application. */
	abstract String command();

	/** The further properties of the command, such as {@code from=5}. */
	abstract List<String> properties();

	/** Shows the result. */
	abstract void print(JsonNode result);

	@Override
	public final Integer call() throws InterruptedException {
		try {
			Process process = new ProcessBuilder(line()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
			process.getOutputStream().close();
			String result = result(process);
			int exitCode = process.waitFor();
			if (result == null) {
				this.terminal.note(this.terminal.red("eventing: ") + "The application ended with exit code " + exitCode
						+ " and gave no result. Consider what it printed, and the version of the SDK in it.");
				return ExitCode.ERROR;
			}
			show(result);
			return exitCode;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void show(String result) {
		if (this.output.isJson()) {
			this.terminal.line(result);
		}
		else {
			print(OutputOptions.JSON.readTree(result));
		}
	}

	private List<String> line() {
		List<String> line = new ArrayList<>(List.of(java(), "-jar", jar(), "--eventing.command.run=" + command()));
		if (this.tenant != null) {
			line.add("--eventing.command.tenant=" + this.tenant.value());
		}
		properties().forEach((property) -> line.add("--eventing.command." + property));
		line.addAll(this.arguments);
		return line;
	}

	private String java() {
		return (this.java != null) ? this.java.toString()
				: Path.of(System.getProperty("java.home"), "bin", "java").toString();
	}

	private String jar() {
		String given = (this.application != null) ? this.application.toString() : System.getenv("EVENTING_APPLICATION");
		if (given == null) {
			throw new UsageException("No application is given. Consider --application, or EVENTING_APPLICATION.");
		}
		if (!Files.isRegularFile(Path.of(given))) {
			throw new UsageException("There is no file '" + given + "'. Consider the application's executable jar.");
		}
		return given;
	}

	/** The line with the result; null if there is none. Other lines are the log. */
	private @Nullable String result(Process process) throws IOException {
		String result = null;
		List<String> log = new ArrayList<>();
		try (BufferedReader lines = new BufferedReader(
				new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
			for (String line = lines.readLine(); line != null; line = lines.readLine()) {
				if (line.startsWith(RESULT)) {
					result = line;
				}
				else {
					keep(log, line);
				}
			}
		}
		if (result == null) {
			log.forEach((line) -> this.terminal.note(Terminal.printable(line)));
		}
		return result;
	}

	private void keep(List<String> log, String line) {
		if (this.output.isVerbose()) {
			this.terminal.note(Terminal.printable(line));
			return;
		}
		if (log.size() == LAST_LINES) {
			log.remove(0);
		}
		log.add(line);
	}

}
