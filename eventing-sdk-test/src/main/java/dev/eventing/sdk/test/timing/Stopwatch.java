package dev.eventing.sdk.test.timing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Measures how long something takes, and beside it how slow the machine is meanwhile. A
 * thread sleeps for 5 ms again and again and adds up how late it wakes. Where the system
 * tells it (Linux), it also counts the threads that want a processor at once.
 * <p>
 * A test that asserts a duration asks {@link Elapsed#assertWithin(Duration)}, which
 * allows for both. So the same bound holds on a quiet machine and on a busy one.
 * <p>
 * For one thread, but for {@link #late()}. A stopwatch that is not stopped ends with
 * {@link #close()}.
 *
 * @since 0.1.0
 */
public final class Stopwatch implements AutoCloseable {

	private static final long NAP = Duration.ofMillis(5).toNanos();

	/** Later than this is no accident of the system's timer. */
	private static final long PUNCTUAL = Duration.ofMillis(2).toNanos();

	private static final int NAPS_PER_LOOK = 10;

	private static final double MOST_CROWDED = 10;

	private static final Path LOAD = Path.of("/proc/loadavg");

	/** As in {@code 0.14 0.09 0.03 2/387 1204}: 2 of 387 threads run or want to. */
	private static final Pattern RUNNABLE = Pattern.compile(" (\\d+)/");

	private final @Nullable Ping ping;

	private final long begun = System.nanoTime();

	private final Thread thread = new Thread(this::watch, "stopwatch");

	private volatile boolean stopped;

	private final AtomicLong late = new AtomicLong();

	private double crowding;

	private int looks;

	private Stopwatch(@Nullable Ping ping) {
		this.ping = ping;
		this.thread.setDaemon(true);
		this.thread.start();
	}

	/**
	 * Starts one that measures the machine.
	 * @return the running stopwatch
	 */
	public static Stopwatch start() {
		return new Stopwatch(null);
	}

	/**
	 * Starts one that also asks a server again and again, and counts for how long it
	 * waits for the answers. For a server that stays up meanwhile.
	 * @param ping asks the server for something that costs it nothing, such as
	 * {@code select 1}; what it throws is passed over
	 * @return the running stopwatch
	 */
	public static Stopwatch start(Ping ping) {
		return new Stopwatch(ping);
	}

	/**
	 * Measures an action.
	 * @param action what to measure; what it throws reaches the caller
	 * @param <E> what it may throw
	 * @return how long it took
	 * @throws E what the action throws
	 */
	public static <E extends Exception> Elapsed time(Action<E> action) throws E {
		try (Stopwatch watch = start()) {
			action.run();
			return watch.stop();
		}
	}

	/**
	 * Stops the measurement.
	 * @return how long it took since the start
	 */
	public Elapsed stop() {
		Duration took = Duration.ofNanos(System.nanoTime() - this.begun);
		close();
		double crowd = (this.looks == 0) ? 1 : this.crowding / this.looks;
		return new Elapsed(took, late(), crowd);
	}

	/**
	 * For how long the machine has stood still since the start. Any thread may ask.
	 * @return the sum of how late the thread woke, and of how long the server took
	 */
	public Duration late() {
		return Duration.ofNanos(this.late.get());
	}

	@Override
	public void close() {
		this.stopped = true;
		LockSupport.unpark(this.thread);
		boolean interrupted = false;
		while (this.thread.isAlive()) {
			try {
				this.thread.join();
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	private void watch() {
		for (int naps = 0; !this.stopped; naps++) {
			long asleep = System.nanoTime();
			LockSupport.parkNanos(NAP);
			long over = System.nanoTime() - asleep - NAP;
			if (over > PUNCTUAL) {
				this.late.addAndGet(over);
			}
			if (naps % NAPS_PER_LOOK == 0) {
				look();
			}
		}
	}

	private void look() {
		this.crowding += crowding();
		this.looks++;
		if (this.ping != null) {
			long asked = System.nanoTime();
			try {
				this.ping.ping();
				this.late.addAndGet(Math.max(0, System.nanoTime() - asked - PUNCTUAL));
			}
			catch (Exception ex) {
				// an outage is for the test to judge
			}
		}
	}

	/** Threads that want a processor, for each processor; at least 1. */
	private static double crowding() {
		try {
			Matcher load = RUNNABLE.matcher(Files.readString(LOAD));
			double each = (load.find() ? Double.parseDouble(load.group(1)) : 0)
					/ Runtime.getRuntime().availableProcessors();
			return Math.max(1, Math.min(MOST_CROWDED, each));
		}
		catch (IOException | RuntimeException ex) {
			return 1;
		}
	}

	/** Something to be measured. */
	@FunctionalInterface
	public interface Action<E extends Exception> {

		/**
		 * Does it.
		 * @throws E what the action throws
		 */
		void run() throws E;

	}

	/** A question to a server. */
	@FunctionalInterface
	public interface Ping {

		/**
		 * Asks, and waits for the answer.
		 * @throws Exception if there is none
		 */
		void ping() throws Exception;

	}

}
