package dev.eventing.sdk.worker;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A task that a separate thread does once, such as the stop of a part. The thread is
 * supervised: a failure is logged, and the task is tried again, three times in all. Waits
 * for it are bounded. For one thread.
 */
public final class OneShot {

	private static final Logger logger = LoggerFactory.getLogger(OneShot.class);

	private static final int ATTEMPTS = 3;

	private final Runnable task;

	private final SupervisedWorker worker;

	/** For the thread of the worker. */
	private int attempts;

	private volatile @Nullable Thread thread;

	private OneShot(String name, Runnable task, boolean daemon) {
		this.task = task;
		this.worker = daemon ? SupervisedWorker.daemon(name, this::attempt) : SupervisedWorker.of(name, this::attempt);
	}

	/**
	 * A task whose thread keeps the process alive. It does not run yet.
	 * @param name the thread's name
	 * @param task may be repeated after a failure
	 */
	public static OneShot of(String name, Runnable task) {
		return new OneShot(name, task, false);
	}

	/** As the other, with a thread that does not keep the process alive. */
	public static OneShot daemon(String name, Runnable task) {
		return new OneShot(name, task, true);
	}

	private void attempt() {
		this.attempts++;
		this.thread = Thread.currentThread();
		try {
			this.task.run();
		}
		catch (RuntimeException | Error ex) {
			if (this.attempts < ATTEMPTS) {
				throw ex;
			}
			logger.error("'{}' has failed {} times, and is not tried again.", this.worker.name(), ATTEMPTS, ex);
		}
	}

	/** Begins the task. Does not wait for it. */
	public void start() {
		this.worker.start();
	}

	/**
	 * Waits for the task.
	 * @return whether it has ended within this time
	 */
	public boolean join(Duration wait) throws InterruptedException {
		return this.worker.join(wait);
	}

	/** Whether the caller's thread is the one that does the task. */
	boolean isOwnThread() {
		return Thread.currentThread() == this.thread;
	}

	/**
	 * Begins the task and waits for it. Interrupts it if it has not ended within this
	 * time, and does not wait for that.
	 * @return whether it has ended within this time
	 */
	public boolean runWithin(Duration wait) throws InterruptedException {
		start();
		boolean ended = join(wait);
		if (!ended) {
			this.worker.interrupt();
		}
		return ended;
	}

	/**
	 * Runs tasks side by side, and waits for them. Those that have not ended within this
	 * time are interrupted, logged with their stacks, and not waited for any longer. If
	 * the caller is interrupted meanwhile, it stops waiting.
	 */
	public static void runAll(List<OneShot> tasks, Duration longest) {
		tasks.forEach(OneShot::startOrRun);
		long end = System.nanoTime() + longest.toNanos();
		try {
			for (OneShot each : tasks) {
				each.endsBy(end);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** There may be no memory for one more thread. */
	private void startOrRun() {
		try {
			start();
		}
		catch (OutOfMemoryError ex) {
			logger.error("'{}' runs on this thread, because there is no other.", this.worker.name(), ex);
			this.attempts = ATTEMPTS;
			attempt();
		}
	}

	private void endsBy(long end) throws InterruptedException {
		if (!join(Duration.ofNanos(Math.max(0, end - System.nanoTime())))) {
			logger.error("'{}' does not end, and is not waited for. Its thread is at:{}", this.worker.name(),
					Stall.trace(this.worker.stack()));
			this.worker.interrupt();
		}
	}

}
