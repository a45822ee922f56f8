package dev.eventing.sdk.worker;

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

	private final String name;

	private final Object lock = new Object();

	/** Stops on behalf of Spring; null before the first time. */
	private volatile @Nullable Thread stopping;

	private volatile boolean running;

	/**
	 * Nothing runs yet.
	 * @param name of the part, for the thread that stops it
	 */
	public ApplicationPhase(String name) {
		this.name = name;
	}

	/** Starts, once no stop is under way. */
	public void start(Runnable start) {
		awaitStop(this.stopping);
		synchronized (this.lock) {
			start.run();
			this.running = true;
		}
	}

	/** Stops, and returns when that is done. */
	public void stop(Runnable stop) {
		synchronized (this.lock) {
			stop.run();
			this.running = false;
		}
	}

	/**
	 * Stops on a thread of its own, so that Spring can ask the next part.
	 * @param ended is called at the end
	 */
	public void stop(Runnable stop, Runnable ended) {
		this.running = false; // Spring starts only what does not run
		Thread next = new Thread(() -> {
			try {
				stop(stop);
			}
			finally {
				ended.run();
			}
		}, this.name + "-stop");
		next.start();
		this.stopping = next;
	}

	/** A stop ends by itself within seconds. */
	private static void awaitStop(@Nullable Thread stop) {
		boolean interrupted = false;
		while (stop != null && stop != Thread.currentThread() && stop.isAlive()) {
			try {
				stop.join();
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	/** Whether it was started, and no stop was asked for since. */
	public boolean isRunning() {
		return this.running;
	}

}
