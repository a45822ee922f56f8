package dev.eventing.sdk.test.server;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A running server: one child process of this JVM, identified by its pid only. */
final class ServerProcess {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private final String name;

	private final Process process;

	private final Watchdog watchdog;

	private ServerProcess(String name, Process process, Watchdog watchdog) {
		this.name = name;
		this.process = process;
		this.watchdog = watchdog;
	}

	/**
	 * Starts a server and waits until it is ready.
	 * @throws AddressTakenException if its port, or the shared memory of its predecessor,
	 * is not free
	 * @throws ServerFailedException if it ends or is not ready in time
	 */
	static ServerProcess start(List<String> command, Path log, Watchdog watchdog, BooleanSupplier ready) {
		String name = log.getFileName().toString().replace(".log", "");
		try {
			long logged = Files.exists(log) ? Files.size(log) : 0;
			Process process = new ProcessBuilder(command).redirectErrorStream(true)
				.redirectInput(new File("/dev/null"))
				.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
				.start();
			watchdog.guard(process.pid());
			ServerProcess server = new ServerProcess(name, process, watchdog);
			server.awaitReady(ready, log, logged);
			return server;
		}
		catch (IOException ex) {
			throw new ServerFailedException("'" + command.get(0) + "' cannot be started", ex);
		}
	}

	/**
	 * The same for a server that is restarted. Retries, because its port or shared memory
	 * may not be free immediately.
	 */
	static ServerProcess startAgain(List<String> command, Path log, Watchdog watchdog, BooleanSupplier ready) {
		Deadline deadline = Deadline.in(PATIENCE);
		while (true) {
			try {
				return start(command, log, watchdog, ready);
			}
			catch (AddressTakenException ex) {
				if (!deadline.pause()) {
					throw ex;
				}
			}
		}
	}

	long pid() {
		return this.process.pid();
	}

	boolean isAlive() {
		return this.process.isAlive();
	}

	void signal(String signal) {
		try {
			Command.of(Duration.ofSeconds(10), "kill", "-s", signal, Long.toString(pid())).run();
		}
		catch (IOException ex) {
			throw new ServerFailedException("'" + this.name + "' cannot be sent SIG" + signal, ex);
		}
	}

	/**
	 * Freezes the process, and waits until it stands: it still runs for a moment after
	 * the signal is sent, and could answer.
	 */
	void freeze() {
		signal("STOP");
		Deadline deadline = Deadline.in(PATIENCE);
		while (!state().startsWith("T")) {
			if (!deadline.pause()) {
				throw new ServerFailedException("'" + this.name + "' does not stop on SIGSTOP");
			}
		}
	}

	/** A letter, as ps shows it. Where there is /proc, no ps may be installed. */
	private String state() {
		Path stat = Path.of("/proc", Long.toString(pid()), "stat");
		try {
			if (Files.exists(stat)) {
				String text = Files.readString(stat);
				return text.substring(text.lastIndexOf(')') + 2);
			}
			return Command.of(Duration.ofSeconds(10), "ps", "-o", "state=", "-p", Long.toString(pid())).run();
		}
		catch (IOException ex) {
			throw new ServerFailedException("The state of '" + this.name + "' is unknown", ex);
		}
	}

	/** Sends a signal that ends the server, and waits for its end. */
	void end(String signal) {
		if (isAlive()) {
			signal(signal);
			if (!awaitEnd()) {
				kill();
				throw new ServerFailedException("'" + this.name + "' did not end on SIG" + signal + " within "
						+ PATIENCE.toSeconds() + " s and was killed");
			}
		}
		this.watchdog.release(pid());
	}

	/**
	 * Kills this process and its children, like a power failure, and waits for their end.
	 */
	void kill() {
		// Orphaned children would continue their work, and hold resources that the next
		// server needs.
		List<ProcessHandle> children = this.process.descendants().toList();
		this.process.destroyForcibly();
		children.forEach(ProcessHandle::destroyForcibly);
		if (!awaitEnd() || !awaitEnd(children)) {
			throw new ServerFailedException("'" + this.name + "' survives SIGKILL");
		}
		this.watchdog.release(pid());
	}

	private void awaitReady(BooleanSupplier ready, Path log, long logged) throws IOException {
		Deadline deadline = Deadline.in(PATIENCE);
		while (!ready.getAsBoolean()) {
			if (!isAlive()) {
				this.watchdog.release(pid());
				throw ended(log, logged);
			}
			if (!deadline.pause()) {
				kill();
				throw new ServerFailedException("'" + this.name + "' is not ready after " + PATIENCE.toSeconds()
						+ " s. Its log ends:\n" + tail(log, logged));
			}
		}
	}

	private ServerFailedException ended(Path log, long logged) throws IOException {
		String tail = tail(log, logged);
		String message = "'" + this.name + "' ended with " + this.process.exitValue() + ". Its log ends:\n" + tail;
		String lower = tail.toLowerCase(Locale.ROOT);
		boolean taken = lower.contains("address already in use") || lower.contains("shared memory block");
		return taken ? new AddressTakenException(message) : new ServerFailedException(message);
	}

	private boolean awaitEnd() {
		try {
			return this.process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			this.process.destroyForcibly();
			Thread.currentThread().interrupt();
			return true;
		}
	}

	private static boolean awaitEnd(List<ProcessHandle> processes) {
		Deadline deadline = Deadline.in(PATIENCE);
		while (processes.stream().anyMatch(ProcessHandle::isAlive)) {
			if (!deadline.pause()) {
				return false;
			}
		}
		return true;
	}

	private static String tail(Path log, long from) throws IOException {
		byte[] bytes = Files.readAllBytes(log);
		int start = (int) Math.max(from, bytes.length - 4_000L);
		return new String(Arrays.copyOfRange(bytes, Math.min(start, bytes.length), bytes.length),
				StandardCharsets.UTF_8);
	}

	/** Creates a directory for the data of one server. */
	static Path newDirectory(String prefix) {
		try {
			return Files.createTempDirectory(prefix);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * The server's address is not free. Another address, or a later retry, may succeed.
	 */
	static final class AddressTakenException extends ServerFailedException {

		private static final long serialVersionUID = 1L;

		AddressTakenException(String message) {
			super(message);
		}

	}

}
