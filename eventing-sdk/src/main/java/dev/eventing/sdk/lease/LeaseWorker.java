package dev.eventing.sdk.lease;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * A thread of this node for work that one node at a time does: work that asks for its
 * lease now and then, goes on while it has it, and ends when it is to stop. What has
 * stopped can be started again. Thread-safe.
 */
public final class LeaseWorker {

	private final String name;

	private final boolean daemon;

	private final Runnable work;

	private volatile CountDownLatch stopping = new CountDownLatch(0);

	private @Nullable Thread thread;

	/**
	 * Starts nothing yet.
	 * @param name of the thread
	 * @param daemon whether the process may end while it works
	 * @param work what the thread runs, once per start; ends soon after
	 * {@link #isStopping()}, and when it is interrupted
	 */
	public LeaseWorker(String name, boolean daemon, Runnable work) {
		this.name = name;
		this.daemon = daemon;
		this.work = work;
	}

	/** Nothing happens if it runs. */
	public synchronized void start() {
		if (this.thread == null) {
			this.stopping = new CountDownLatch(1);
			Thread started = new Thread(this.work, this.name);
			started.setDaemon(this.daemon);
			this.thread = started;
			started.start();
		}
	}

	/**
	 * Waits until the work has ended. If the caller is interrupted meanwhile, it
	 * interrupts the work and waits no longer.
	 */
	public synchronized void stop() {
		Thread running = this.thread;
		if (running == null) {
			return;
		}
		this.stopping.countDown();
		try {
			running.join();
		}
		catch (InterruptedException ex) {
			running.interrupt();
			Thread.currentThread().interrupt();
		}
		this.thread = null;
	}

	/** Whether it was started and not stopped since; waits while it stops. */
	public synchronized boolean isRunning() {
		return this.thread != null;
	}

	/** For the work: whether it is to end. */
	public boolean isStopping() {
		return this.stopping.getCount() == 0;
	}

	/**
	 * For the work: rests until the pause is over or it is to end.
	 * @return whether it is to end
	 */
	public boolean awaitStop(Duration pause) throws InterruptedException {
		return this.stopping.await(TimeUnit.NANOSECONDS.convert(pause), TimeUnit.NANOSECONDS);
	}

}
