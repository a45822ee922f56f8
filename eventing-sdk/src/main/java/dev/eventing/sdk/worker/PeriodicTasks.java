package dev.eventing.sdk.worker;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Short tasks that come again and again, all on one daemon thread. A task that throws
 * comes again like any other. Thread-safe.
 */
public final class PeriodicTasks implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(PeriodicTasks.class);

	/** How exactly a task keeps to its time. */
	private static final Duration TICK = Duration.ofMillis(250);

	private final Set<Task> tasks = ConcurrentHashMap.newKeySet();

	private final SupervisedWorker worker;

	/** Starts a thread once there is a task. */
	public PeriodicTasks(String name) {
		this.worker = SupervisedWorker.daemon(name, this::run);
	}

	/**
	 * Runs the task about so often, until it is cancelled.
	 * @param name for the log
	 * @param every from one beginning to the next, at least a quarter of a second
	 * @param action must return soon and wait for nobody
	 */
	public Task every(String name, Duration every, Runnable action) {
		Task task = new Task(name, every.toNanos(), action);
		this.tasks.add(task);
		this.worker.start();
		return task;
	}

	@Override
	public void close() {
		this.worker.stop();
	}

	private void run() throws InterruptedException {
		while (!this.worker.awaitStop(TICK)) {
			this.tasks.forEach(Task::runIfDue);
			this.worker.beat();
		}
	}

	/** A task that comes again and again. */
	public final class Task {

		private final String name;

		private final long every;

		private final Runnable action;

		private long dueAt;

		private boolean failing;

		private Task(String name, long every, Runnable action) {
			this.name = name;
			this.every = every;
			this.action = action;
			this.dueAt = System.nanoTime() + every;
		}

		/** It does not begin any more; it may be running. */
		public void cancel() {
			PeriodicTasks.this.tasks.remove(this);
		}

		private void runIfDue() {
			long now = System.nanoTime();
			if (now - this.dueAt < -TICK.toNanos() / 2) {
				return;
			}
			this.dueAt = now + this.every;
			try {
				this.action.run();
				this.failing = false;
			}
			catch (RuntimeException ex) {
				if (!this.failing) {
					this.failing = true;
					logger.error("{} failed unexpectedly; it is tried again in {} ms.", this.name,
							Duration.ofNanos(this.every).toMillis(), ex);
				}
			}
		}

	}

}
