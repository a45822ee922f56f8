package dev.eventing.sdk.guarantees;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.test.timing.Patience;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A node in its own JVM, which can die without a word and be started again, or be frozen.
 * One process at a time; all of them write to one file, which is shown when the test
 * fails. A test that needs several nodes has several of these. The process ends by itself
 * when this JVM is no more.
 */
final class ProjectorProcess implements AfterTestExecutionCallback {

	private static final int SHOWN = 20_000;

	private final Class<?> main;

	private final List<Class<?>> handlers;

	private final Path log;

	private String heap = "256m";

	private Process process;

	/** Where in the log the present process begins. */
	private long logged;

	private ProjectorProcess(Class<?> main, List<Class<?>> handlers, Path log) {
		this.main = main;
		this.handlers = handlers;
		this.log = log;
	}

	/**
	 * A process that is yet to be started.
	 * @param handlers the beans with the handlers; each needs a constructor without
	 * parameters
	 */
	static ProjectorProcess of(Class<?>... handlers) {
		return running(Main.class, handlers);
	}

	/**
	 * A process with a program of its own, which gets the same arguments, calls
	 * {@link Main#guard} first, and prints {@link Main#READY}.
	 */
	static ProjectorProcess running(Class<?> main, Class<?>... handlers) {
		try {
			return new ProjectorProcess(main, List.of(handlers), Files.createTempFile("projector-", ".log"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** The heap of processes that are started from now on, such as {@code 128m}. */
	ProjectorProcess heap(String most) {
		this.heap = most;
		return this;
	}

	/** Starts a process; the one before must have ended. */
	void start(World world) {
		assertThat(isAlive()).as("a process runs already").isFalse();
		try {
			this.logged = Files.size(this.log);
			List<String> command = ChildJvm.node(this.heap, this.main, world.natsUrl(), world.jdbcUrl(), world.root());
			this.handlers.forEach((each) -> command.add(each.getName()));
			this.process = new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.appendTo(this.log.toFile()))
				.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Waits until the projector of the present process has started. */
	void awaitReady() {
		await().atMost(Patience.PROCESS).pollInterval(Duration.ofMillis(10)).until(this::isReady);
	}

	/** Waits this long, or until the projector of the present process has started. */
	void awaitReadyOr(Duration longest) {
		long begun = System.nanoTime();
		await().atMost(Patience.PROCESS)
			.pollInterval(Duration.ofMillis(10))
			.until(() -> isReady() || System.nanoTime() - begun >= longest.toNanos());
	}

	private boolean isReady() {
		assertThat(isAlive()).as("the process ended before it was ready").isTrue();
		return output(this.logged).contains(Main.READY);
	}

	boolean isAlive() {
		return this.process != null && this.process.isAlive();
	}

	/** Waits until the process has ended by itself; returns whether it did in time. */
	boolean awaitEnd(Duration wait) {
		try {
			return this.process.waitFor(wait.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	/** Kills exactly this process, as a power cut would, and waits for its end. */
	void kill() {
		this.process.destroyForcibly();
		assertThat(awaitEnd(Patience.LONG)).as("the process survives SIGKILL").isTrue();
	}

	long pid() {
		return this.process.pid();
	}

	/** Lets exactly this process stand still, as a paused machine would. */
	void freeze() {
		signal("-STOP");
	}

	/** Lets a frozen process continue as if nothing had happened. */
	void thaw() {
		signal("-CONT");
	}

	private void signal(String name) {
		try {
			Process kill = new ProcessBuilder("kill", name, Long.toString(pid())).inheritIO().start();
			assertThat(kill.waitFor()).as("kill " + name).isZero();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public void afterTestExecution(ExtensionContext context) throws IOException {
		if (isAlive()) {
			kill();
		}
		if (context.getExecutionException().isPresent()) {
			String all = output(0);
			System.err.println("The projector's processes wrote, to " + this.log + ":\n"
					+ all.substring(Math.max(0, all.length() - SHOWN)));
		}
		else {
			Files.delete(this.log);
		}
	}

	private String output(long from) {
		try {
			byte[] bytes = Files.readAllBytes(this.log);
			return new String(Arrays.copyOfRange(bytes, (int) from, bytes.length), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** The application in the process. The tables are there already. */
	static final class Main {

		static final String READY = "The projector is ready.";

		private static final int FIRST_HANDLER = 3;

		/** Short, because the next process waits for it to expire. */
		static final Duration LEASE = Duration.ofSeconds(1);

		private Main() {
		}

		/**
		 * Starts it.
		 * @param args URL of NATS, JDBC URL, root of the subjects, classes of the
		 * handlers
		 */
		public static void main(String... args) throws Exception {
			Thread guard = guard();
			PrintStream out = System.out;
			Object[] handlers = new Object[args.length - FIRST_HANDLER];
			for (int each = 0; each < handlers.length; each++) {
				handlers[each] = Class.forName(args[FIRST_HANDLER + each]).getDeclaredConstructor().newInstance();
			}
			World.start(args[0], args[1], args[2], WorldApplication.of(handlers).inItsOwnProcess().lease(LEASE));
			out.println(READY);
			guard.join();
		}

		/** Ends this process with its parent. */
		static Thread guard() {
			Thread guard = new Thread(Main::endWithParent, "parent-guard");
			guard.setDaemon(true);
			guard.start();
			return guard;
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
