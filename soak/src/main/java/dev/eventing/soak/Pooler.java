package dev.eventing.soak;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A PgBouncer in transaction mode in front of one port: each transaction gets any of its
 * sessions. It ends with this JVM, however that ends.
 */
public final class Pooler implements AutoCloseable {

	/** Waits for the end of its input, which ends with this JVM. */
	private static final String SCRIPT = """
			trap '' INT TERM HUP
			"$@" < /dev/null &
			pid=$!
			read -r line
			kill -s KILL "$pid"
			""";

	/**
	 * Settings of a session that PgBouncer does not know. It refuses a session with any
	 * other one.
	 */
	private static final String CONFIGURATION = """
			[databases]
			* = host=127.0.0.1 port=%d user=postgres
			[pgbouncer]
			listen_addr = 127.0.0.1
			listen_port = %d
			unix_socket_dir =
			auth_type = any
			pool_mode = transaction
			default_pool_size = 20
			max_client_conn = 200
			server_login_retry = 1
			query_wait_timeout = 5
			ignore_startup_parameters = extra_float_digits,options
			""";

	/** Above the ports of other servers, and below the ports of clients. */
	private static final int LOWEST_PORT = 32_705;

	private static final int HIGHEST_PORT = 32_765;

	private static final int START_SECONDS = 20;

	private final Path configuration;

	private final int port;

	private final Process shell;

	private Pooler(Path configuration, int port, Process shell) {
		this.configuration = configuration;
		this.port = port;
		this.shell = shell;
	}

	/** The program on this machine, if it is installed. */
	static Optional<Path> program() {
		String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
		return Stream.concat(Stream.of(path.split(":", -1)), Stream.of("/usr/sbin"))
			.filter((directory) -> !directory.isEmpty())
			.map((directory) -> Path.of(directory, "pgbouncer"))
			.filter(Files::isExecutable)
			.findFirst();
	}

	/**
	 * Starts one.
	 * @param target the port on loopback of what it connects to
	 * @throws IOException if it does not start
	 */
	public static Pooler start(Path program, int target, Path log) throws IOException {
		int port = ThreadLocalRandom.current().nextInt(LOWEST_PORT, HIGHEST_PORT);
		Path configuration = Files.createTempFile("eventing-soak-pooler-", ".ini");
		Files.writeString(configuration, CONFIGURATION.formatted(target, port));
		List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", SCRIPT, "pooler"));
		if ("root".equals(System.getProperty("user.name"))) {
			// It does not run as root, which it no longer is in a user namespace.
			command.addAll(List.of("unshare", "-U"));
		}
		command.addAll(List.of(program.toString(), configuration.toString()));
		Process shell = new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
			.start();
		Pooler pooler = new Pooler(configuration, port, shell);
		if (!pooler.answers()) {
			pooler.close();
			throw new IOException("PgBouncer does not start; its log is " + log);
		}
		return pooler;
	}

	/** The port on loopback to which clients connect. */
	int port() {
		return this.port;
	}

	private boolean answers() {
		long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
		while (System.nanoTime() < end) {
			try (Socket socket = new Socket()) {
				socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), this.port), 1000);
				return true;
			}
			catch (IOException ex) {
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
			}
		}
		return false;
	}

	/** Its connections are cut. */
	@Override
	public void close() {
		try {
			this.shell.getOutputStream().close();
			if (!this.shell.waitFor(START_SECONDS, TimeUnit.SECONDS)) {
				throw new IllegalStateException("PgBouncer does not end.");
			}
			Files.deleteIfExists(this.configuration);
		}
		catch (IOException ex) {
			throw new IllegalStateException("PgBouncer cannot be ended.", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
