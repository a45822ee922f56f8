package dev.eventing.sdk.guarantees;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.relay.RelayOptions;
import dev.eventing.sdk.test.timing.Patience;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A relay in its own JVM, which can die without a word or be frozen. The process ends by
 * itself when this JVM is no more.
 */
final class RelayProcess implements AutoCloseable {

	private final Path log;

	private final Process process;

	private RelayProcess(Path log, Process process) {
		this.log = log;
		this.process = process;
	}

	static RelayProcess start(RelayWorld relays) {
		try {
			Path log = Files.createTempFile("relay-", ".log");
			World world = relays.world();
			Process process = new ProcessBuilder(ChildJvm.node("256m", Main.class, world.natsUrl(), world.jdbcUrl(),
					world.root(), relays.options().subjects().toString()))
				.redirectErrorStream(true)
				.redirectOutput(log.toFile())
				.start();
			return new RelayProcess(log, process);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Waits until its relay competes for the lease. */
	void awaitReady() {
		await().atMost(Patience.PROCESS).until(() -> {
			assertThat(isAlive()).as("the process ended before it was ready").isTrue();
			return output().contains(Main.READY);
		});
	}

	boolean isAlive() {
		return this.process.isAlive();
	}

	/** Whether this is its id in a lease and in the header of its messages. */
	boolean isNode(String node) {
		return node.contains(":" + this.process.pid() + "/");
	}

	/** Kills exactly this process and waits for its end. */
	void kill() {
		this.process.destroyForcibly();
		try {
			assertThat(this.process.waitFor(Patience.PROCESS.toSeconds(), TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	void freeze() {
		signal("STOP");
	}

	void thaw() {
		signal("CONT");
	}

	private void signal(String name) {
		try {
			Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(this.process.pid())).start();
			assertThat(kill.waitFor()).isZero();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	String output() {
		try {
			return Files.readString(this.log);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		kill();
		try {
			Files.delete(this.log);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** The application in the process. */
	static final class Main {

		static final String READY = "The relay is ready.";

		private Main() {
		}

		/**
		 * Starts it.
		 * @param args URL of NATS, JDBC URL, root of the subjects, pattern of the
		 * subjects
		 */
		public static void main(String... args) throws Exception {
			Thread guard = new Thread(Main::endWithParent, "parent-guard");
			guard.setDaemon(true);
			guard.start();
			RelayOptions options = RelayOptions.named(RelayWorld.RELAY).withSubjects(args[3]).withWindow(500, 100);
			World.start(args[0], args[1], args[2], RelayWorld.application(options).inItsOwnProcess());
			System.out.println(READY);
			guard.join();
		}

		/** Only the parent can write here: the end of the pipe is the parent's end. */
		private static void endWithParent() {
			try {
				while (System.in.read() >= 0) {
					Thread.onSpinWait();
				}
			}
			catch (IOException ex) {
				System.err.println("The parent is out of reach: " + ex);
			}
			Runtime.getRuntime().halt(2);
		}

	}

}
