package dev.eventing.sdk.worker;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

/**
 * When a part of the SDK starts and stops with its application. All parts do so in one
 * phase, and stop side by side: each may wait for a server that is away. Starts and stops
 * of one part exclude each other: a start waits for the stop that is under way.
 * Thread-safe.
 */
public final class ApplicationPhase {

	/**
	 * Later than what handlers use, and earlier than a web server of Spring Boot: it
	 * takes requests when projectors run, and they still run while it ends what it has
	 * begun, which may wait for them.
	 */
	public static final int PHASE = Integer.MAX_VALUE - 4000;

	/**
	 * A stop ends by itself within seconds. One that hangs must not hang the next start,
	 * too.
	 */
	private static final Duration STOPS_WITHIN = Duration.ofMinutes(2);

	private final String name;

	private final ReentrantLock lock = new ReentrantLock();

	private final Duration stopsWithin;

	/** Stops on behalf of Spring; null before the first time. */
	private volatile @Nullable OneShot stopping;

	private volatile boolean running;

	/**
	 * Nothing runs yet.
	 * @param name of the part, for the thread that stops it
	 */
	public ApplicationPhase(String name) {
		this(name, STOPS_WITHIN);
	}

	/**
	 * As the other.
	 * @param stopsWithin how long a start waits for a stop
	 */
	ApplicationPhase(String name, Duration stopsWithin) {
		this.name = name;
		this.stopsWithin = stopsWithin;
	}

	/**
	 * Starts, once no stop is under way.
	 * @throws StopUnderWayException if a stop does not end within two minutes
	 */
	public void start(Runnable start) {
		long end = System.nanoTime() + this.stopsWithin.toNanos();
		OneShot stop = this.stopping;
		require(() -> stop == null || stop.isOwnThread() || stop.join(left(end)));
		require(() -> this.lock.tryLock(left(end).toNanos(), TimeUnit.NANOSECONDS));
		try {
			start.run();
			this.running = true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Waits to the end, also if it is interrupted. */
	private void require(Wait<Boolean> wait) {
		boolean interrupted = false;
		boolean waited = false;
		while (!waited) {
			try {
				if (!wait.await()) {
					throw new StopUnderWayException(this.name, this.stopsWithin);
				}
				waited = true;
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	private static Duration left(long end) {
		return Duration.ofNanos(Math.max(0, end - System.nanoTime()));
	}

	/** Stops, and returns when that is done. */
	public void stop(Runnable stop) {
		this.lock.lock();
		try {
			stop.run();
			this.running = false;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Stops on a separate thread, so that Spring can ask the next part.
	 * @param ended is called at the end
	 */
	public void stop(Runnable stop, Runnable ended) {
		this.running = false; // Spring starts only what does not run
		AtomicBoolean told = new AtomicBoolean();
		OneShot next = OneShot.of(this.name + "-stop", () -> {
			try {
				stop(stop);
			}
			finally {
				if (told.compareAndSet(false, true)) {
					ended.run();
				}
			}
		});
		next.start();
		this.stopping = next;
	}

	/** Whether it was started, and no stop was asked for since. */
	public boolean isRunning() {
		return this.running;
	}

}
