package dev.eventing.samples.dashboard.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * The projector in a separate JVM, which can be killed and started again. Not
 * thread-safe.
 */
final class ProjectorProcess implements AutoCloseable {

	private static final long PATIENCE_SECONDS = 20;

	private final List<String> arguments;

	private final Path log;

	private @Nullable Process process;

	/**
	 * One that is yet to be started.
	 * @param arguments the properties of the application
	 * @param log where what it prints goes
	 */
	ProjectorProcess(List<String> arguments, Path log) {
		this.arguments = List.copyOf(arguments);
		this.log = log;
	}

	void start() {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC",
						"-Xshare:auto", "-XX:TieredStopAtLevel=1", "-Xmx256m", "-cp",
						System.getProperty("java.class.path"), ProjectorNode.class.getName()));
		command.addAll(this.arguments);
		try {
			this.process = new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.appendTo(this.log.toFile()))
				.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Kills exactly this process, as a power cut would, and waits for its end. */
	void kill() {
		if (this.process != null) {
			this.process.destroyForcibly();
			if (!awaitEnd(this.process)) {
				throw new IllegalStateException("Process " + this.process.pid() + " survives SIGKILL.");
			}
		}
	}

	/** Lets it end in order, and kills it if it does not. */
	@Override
	public void close() {
		if (this.process == null) {
			return;
		}
		try {
			this.process.getOutputStream().close();
		}
		catch (IOException ex) {
			// It has ended.
		}
		if (!awaitEnd(this.process)) {
			kill();
		}
	}

	private static boolean awaitEnd(Process ending) {
		try {
			return ending.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return !ending.isAlive();
		}
	}

}
