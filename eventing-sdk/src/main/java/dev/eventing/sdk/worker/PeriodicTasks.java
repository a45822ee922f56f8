package dev.eventing.sdk.worker;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs short periodic tasks, all on one daemon thread. A task that throws, also an
 * {@link Error}, runs again like any other, and holds up none of the others. Thread-safe.
 */
public final class PeriodicTasks implements Watched, AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(PeriodicTasks.class);

	/** The precision of the start times. */
	private static final Duration TICK = Duration.ofMillis(250);

	private final Set<Task> tasks = ConcurrentHashMap.newKeySet();

	private final SupervisedWorker worker;

	/** Starts the thread with the first task. */
	public PeriodicTasks(String name) {
		this.worker = SupervisedWorker.daemon(name, this::run);
	}

	/**
	 * Runs the task periodically, until it is cancelled.
	 * @param name the task's name in the log
	 * @param every the approximate time from one start to the next, at least a quarter of
	 * a second
	 * @param action must return quickly and not block
	 */
	public Task every(String name, Duration every, Runnable action) {
		Task task = new Task(name, every.toNanos(), action);
		this.tasks.add(task);
		this.worker.start();
		return task;
	}

	@Override
	public List<Stall> stalls(Duration longest) {
		return this.worker.stalls(longest);
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

	/** A periodic task. */
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

		/** Prevents further runs. The task may still be running when this returns. */
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
			catch (Throwable ex) { // whatever ends this run, the other tasks go on
				if (!this.failing) {
					this.failing = true;
					logger.error("{} failed unexpectedly; it is retried in {} ms.", this.name,
							Duration.ofNanos(this.every).toMillis(), ex);
				}
			}
		}

	}

}
