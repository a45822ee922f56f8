package dev.eventing.sdk.relay;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Saves a relay's position on a separate thread, one save at a time, so that publishing
 * does not wait for the database.
 *
 * <p>
 * All methods but {@link #stack} are for one thread. A save that fails is reported by
 * {@link #collect} or {@link #await}. It changed nothing in the database, or the
 * connection was lost and it may have been committed.
 */
final class PositionSaver implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(PositionSaver.class);

	private final ExecutorService thread;

	private final WakeUp wakeUp;

	private @Nullable FutureTask<Void> running;

	/** The thread while it saves. */
	private volatile @Nullable Thread saving;

	/**
	 * Creates one. Its thread starts with the first save.
	 * @param wakeUp called when a save ends
	 */
	PositionSaver(String relay, WakeUp wakeUp) {
		this.thread = Executors.newSingleThreadExecutor((task) -> new Thread(task, "relay-" + relay + "-saver"));
		this.wakeUp = wakeUp;
	}

	/**
	 * Starts a save.
	 * @throws IllegalStateException if one is running
	 */
	void start(Runnable save) {
		if (this.running != null) {
			throw new IllegalStateException("A save is running.");
		}
		FutureTask<Void> task = new FutureTask<>(() -> {
			this.saving = Thread.currentThread();
			try {
				save.run();
			}
			finally {
				this.saving = null;
			}
		}, null) {

			@Override
			protected void done() {
				PositionSaver.this.wakeUp.call();
			}

		};
		this.running = task;
		this.thread.execute(task);
	}

	/** The stack trace of the running save, on any thread; empty if none runs. */
	List<StackTraceElement> stack() {
		Thread thread = this.saving;
		return (thread != null) ? List.of(thread.getStackTrace()) : List.of();
	}

	/** Whether a save was started whose end was not collected. */
	boolean isRunning() {
		return this.running != null;
	}

	/** Whether {@link #collect} has a result or an error. */
	boolean hasEnded() {
		return this.running != null && this.running.isDone();
	}

	/**
	 * Whether a save has succeeded since the last call. Does not wait. Throws the error
	 * of a save that failed.
	 */
	boolean collect() throws InterruptedException {
		return hasEnded() && await();
	}

	/**
	 * Waits for the running save. Returns false if there is none. Throws its error if it
	 * failed.
	 */
	boolean await() throws InterruptedException {
		FutureTask<Void> save = this.running;
		if (save == null) {
			return false;
		}
		try {
			save.get();
		}
		catch (ExecutionException ex) {
			throw thrown(ex);
		}
		this.running = null;
		return true;
	}

	private static RuntimeException thrown(ExecutionException failure) {
		if (failure.getCause() instanceof Error error) {
			throw error;
		}
		return (failure.getCause() instanceof RuntimeException cause) ? cause : new IllegalStateException(failure);
	}

	/**
	 * Ends the thread and waits for it, which may have to wait for the database: a later
	 * save of the same relay must not meet this one. An interrupt is passed on to the
	 * save, which ends its wait for a connection. Logs the error of a save that was not
	 * collected.
	 */
	@Override
	public void close() {
		this.thread.shutdown();
		awaitEnd();
		try {
			collect();
		}
		catch (RuntimeException ex) {
			logger.debug("The last save failed. The next run continues from the saved position.", ex);
		}
		catch (Error ex) {
			logger.error("The last save failed. The next run continues from the saved position.", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void awaitEnd() {
		boolean interrupted = false;
		boolean ended = false;
		while (!ended) {
			try {
				ended = this.thread.awaitTermination(1, TimeUnit.MINUTES);
			}
			catch (InterruptedException ex) {
				interrupted = true;
				this.thread.shutdownNow();
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

}
