package dev.eventing.soak;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.test.server.FaultProxy;
import dev.eventing.soak.judge.NodeStatus;
import dev.eventing.soak.node.NodeApplication;
import org.jspecify.annotations.Nullable;

/**
 * A node in a separate JVM, behind separate proxies. It can be killed, frozen, or stopped
 * in order, and ends with this JVM. Thread-safe.
 */
public final class Node implements AutoCloseable {

	private static final long PATIENCE_SECONDS = 60;

	private final int number;

	private final List<FaultProxy> nats;

	private final FaultProxy postgres;

	private final String database;

	private final Path log;

	private @Nullable Process process;

	/** The pooler between it and the database, from its next start on. */
	private @Nullable Pooler pooler;

	/** Somebody ended it on purpose, and will start it again. */
	private boolean down;

	private int starts;

	private volatile @Nullable NodeStatus status;

	/** Of the processes before the present one. */
	private long duplicatesBefore;

	/**
	 * A node that is yet to be started.
	 * @param nats a proxy for each server
	 * @param database name of the database
	 * @param log where what it prints goes
	 */
	Node(int number, List<FaultProxy> nats, FaultProxy postgres, String database, Path log) {
		this.number = number;
		this.nats = nats;
		this.postgres = postgres;
		this.database = database;
		this.log = log;
	}

	public int number() {
		return this.number;
	}

	/** One for each server. */
	public List<FaultProxy> nats() {
		return this.nats;
	}

	public FaultProxy postgres() {
		return this.postgres;
	}

	/** How often it was started. */
	synchronized int starts() {
		return this.starts;
	}

	/** Its last status line, or null if there is none since its start. */
	@Nullable NodeStatus status() {
		return this.status;
	}

	/** How many deliveries of applied events its processes met, as far as they said. */
	synchronized long duplicates() {
		NodeStatus last = this.status;
		return this.duplicatesBefore + ((last != null) ? last.duplicates() : 0);
	}

	/** From its next start on; null for none. */
	public synchronized void behind(@Nullable Pooler next) {
		this.pooler = next;
	}

	/**
	 * Starts it. Does nothing if another fault that has ended meanwhile has started it.
	 */
	public synchronized void start() {
		this.down = false;
		if (this.process != null && this.process.isAlive()) {
			return;
		}
		this.starts++;
		this.duplicatesBefore = duplicates();
		this.status = null;
		try {
			Process started = new ProcessBuilder(List.of(
					Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC",
					"-Xshare:auto", "-XX:TieredStopAtLevel=1", "-Xmx256m", "-cp", System.getProperty("java.class.path"),
					NodeApplication.class.getName(), "--eventing.nats.servers=" + natsServers(),
					"--eventing.streams." + Servers.STREAM + ".replicas=" + this.nats.size(),
					"--spring.datasource.url=" + jdbcUrl(), "--spring.datasource.username=postgres"))
				.redirectErrorStream(true)
				.start();
			this.process = started;
			Thread reader = new Thread(() -> read(started), "node-" + this.number);
			reader.setDaemon(true);
			reader.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private String natsServers() {
		List<String> urls = this.nats.stream().map((proxy) -> "nats://127.0.0.1:" + proxy.port()).toList();
		return String.join(",", urls);
	}

	/** The driver's statements are prepared for a session, which a pooler changes. */
	private String jdbcUrl() {
		return (this.pooler != null)
				? "jdbc:postgresql://127.0.0.1:" + this.pooler.port() + "/" + this.database + "?prepareThreshold=0"
				: "jdbc:postgresql://127.0.0.1:" + this.postgres.port() + "/" + this.database;
	}

	/**
	 * Starts it again if it ended by itself, as a supervisor would.
	 * @return whether it had ended
	 */
	synchronized boolean revive() {
		if (this.down || (this.process != null && this.process.isAlive())) {
			return false;
		}
		start();
		return true;
	}

	/** Kills exactly this process, as a power cut would, and waits for its end. */
	public synchronized void kill() {
		this.down = true;
		if (this.process != null) {
			this.process.destroyForcibly();
			awaitEnd(this.process);
		}
	}

	/**
	 * Stops it in order, and kills it if it does not.
	 * @return whether it stopped by itself
	 */
	public synchronized boolean stop(long seconds) {
		this.down = true;
		// One that stands still would not obey.
		freeze(false);
		send(NodeApplication.STOP);
		try {
			if (this.process == null || this.process.waitFor(seconds, TimeUnit.SECONDS)) {
				return true;
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		kill();
		return false;
	}

	/** Stops exactly this process by a signal, or resumes it. */
	public synchronized void freeze(boolean frozen) {
		if (this.process == null || !this.process.isAlive()) {
			return;
		}
		try {
			awaitEnd(new ProcessBuilder("kill", frozen ? "-STOP" : "-CONT", Long.toString(this.process.pid())).start());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Gives it a command; one that has just ended takes none. */
	public synchronized void send(String command) {
		if (this.process == null) {
			return;
		}
		try {
			OutputStream in = this.process.getOutputStream();
			in.write((command + "\n").getBytes(StandardCharsets.UTF_8));
			in.flush();
		}
		catch (IOException ex) {
			// It has ended.
		}
	}

	/** Which projectors and relays it owns may be told by the process's number. */
	public synchronized long pid() {
		return (this.process != null) ? this.process.pid() : -1;
	}

	@Override
	public void close() {
		kill();
		this.nats.forEach(FaultProxy::close);
		this.postgres.close();
	}

	private void read(Process from) {
		try (BufferedReader lines = from.inputReader(StandardCharsets.UTF_8)) {
			for (String line = lines.readLine(); line != null; line = lines.readLine()) {
				NodeStatus told = NodeStatus.parse(line, System.nanoTime());
				if (told != null) {
					this.status = told;
				}
				else {
					Files.writeString(this.log, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
				}
			}
		}
		catch (IOException ex) {
			// Its end came in the middle of a line.
		}
	}

	private static void awaitEnd(Process ending) {
		try {
			if (!ending.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
				throw new IllegalStateException("Process " + ending.pid() + " does not end.");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
