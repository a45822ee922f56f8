package dev.eventing.sdk.test.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

import org.springframework.util.FileSystemUtils;

/** A NATS server as a child process of this JVM. */
final class LocalNatsServer implements NatsServer {

	private static final int PORTS_TO_TRY = 5;

	private final Path directory;

	private final Path log;

	private final Watchdog watchdog;

	private final List<String> command;

	private final int port;

	private final NatsProbe probe;

	private ServerProcess process;

	private LocalNatsServer(NatsServerBinary binary, String configuration, Path directory, int port,
			Watchdog watchdog) {
		this.directory = directory;
		this.log = directory.resolve("nats-server.log");
		this.watchdog = watchdog;
		this.port = port;
		String name = "test-" + UUID.randomUUID();
		this.probe = new NatsProbe("127.0.0.1", port, name);
		Path file = directory.resolve("nats-server.conf");
		write(file, """
				server_name: "%s"
				host: "127.0.0.1"
				port: %s
				jetstream { store_dir: "%s" }
				%s
				""".formatted(name, port, directory, configuration));
		this.command = List.of(binary.path().toString(), "-c", file.toString());
		this.process = ServerProcess.start(this.command, this.log, watchdog, this.probe::answers);
	}

	static LocalNatsServer start(NatsServerBinary binary, String configuration) {
		Path directory = ServerProcess.newDirectory("eventing-nats-");
		Watchdog watchdog = Watchdog.over(directory, "KILL");
		try {
			return start(binary, configuration, directory, watchdog);
		}
		catch (RuntimeException ex) {
			watchdog.close();
			delete(directory);
			throw ex;
		}
	}

	private static LocalNatsServer start(NatsServerBinary binary, String configuration, Path directory,
			Watchdog watchdog) {
		for (int left = PORTS_TO_TRY; true; left--) {
			try {
				return new LocalNatsServer(binary, configuration, directory, LoopbackPorts.free(), watchdog);
			}
			catch (ServerProcess.AddressTakenException ex) {
				if (left == 1) {
					throw ex;
				}
			}
		}
	}

	@Override
	public String url() {
		return "nats://127.0.0.1:" + this.port;
	}

	long pid() {
		return this.process.pid();
	}

	@Override
	public int port() {
		return this.port;
	}

	@Override
	public Path storeDirectory() {
		return this.directory;
	}

	@Override
	public void kill() {
		this.process.kill();
	}

	@Override
	public void stop() {
		if (this.process.isAlive()) {
			// A paused server would not handle the stop signal.
			resume();
		}
		this.process.end("TERM");
	}

	@Override
	public void restart() {
		stop();
		this.process = ServerProcess.startAgain(this.command, this.log, this.watchdog, this.probe::answers);
	}

	@Override
	public void pause() {
		this.process.freeze();
	}

	@Override
	public void resume() {
		this.process.signal("CONT");
	}

	@Override
	public void close() {
		this.process.kill();
		this.watchdog.close();
		delete(this.directory);
	}

	private static void write(Path file, String text) {
		try {
			Files.writeString(file, text);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void delete(Path directory) {
		try {
			FileSystemUtils.deleteRecursively(directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
