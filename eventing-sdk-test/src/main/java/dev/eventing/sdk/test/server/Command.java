package dev.eventing.sdk.test.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs a program to its end, within a time limit.
 *
 * @param line the program and its arguments
 * @param directory the working directory
 * @param limit the time after which it is killed
 */
record Command(List<String> line, Path directory, Duration limit) {

	Command {
		line = List.copyOf(line);
	}

	static Command of(Duration limit, String... line) {
		return new Command(List.of(line), Path.of("").toAbsolutePath(), limit);
	}

	/**
	 * Runs the program.
	 * @return its output, including standard error
	 * @throws IOException if it cannot be run, fails or takes too long; the message
	 * contains the end of its output
	 */
	String run() throws IOException {
		Path output = Files.createTempFile("eventing-command", ".log");
		try {
			// A file, not a pipe: remaining child processes of the program would keep a
			// pipe open.
			Process process = new ProcessBuilder(this.line).directory(this.directory.toFile())
				.redirectErrorStream(true)
				.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
				.redirectOutput(output.toFile())
				.start();
			boolean ended = awaitEnd(process);
			String text = Files.readString(output, StandardCharsets.UTF_8).strip();
			if (!ended) {
				throw new IOException(
						"'" + name() + "' did not end within " + this.limit.toSeconds() + " s: " + end(text));
			}
			if (process.exitValue() != 0) {
				throw new IOException("'" + name() + "' ended with " + process.exitValue() + ": " + end(text));
			}
			return text;
		}
		finally {
			Files.deleteIfExists(output);
		}
	}

	private boolean awaitEnd(Process process) throws IOException {
		try {
			boolean ended = process.waitFor(this.limit.toMillis(), TimeUnit.MILLISECONDS);
			if (!ended) {
				process.destroyForcibly();
			}
			return ended;
		}
		catch (InterruptedException ex) {
			process.destroyForcibly();
			Thread.currentThread().interrupt();
			throw new IOException("Interrupted while '" + name() + "' ran", ex);
		}
	}

	private String name() {
		return String.join(" ", this.line.subList(0, Math.min(2, this.line.size())));
	}

	private static String end(String text) {
		return (text.length() <= 600) ? text : "..." + text.substring(text.length() - 600);
	}

}
