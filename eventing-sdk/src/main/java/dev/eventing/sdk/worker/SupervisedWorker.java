package dev.eventing.sdk.worker;

import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that outlives its work. Whatever the work throws, an {@link Error} or an
 * interrupt that no stop asked for included, is logged with its cause, shown by
 * {@link #failure()}, and the work begins again on the same thread after a pause of 100
 * ms, which doubles with each failure in a row up to 10 s. The thread ends when the work
 * returns, and when it is to stop; {@link #call()} makes another when there is work
 * again. What has stopped can be started again. Thread-safe.
 *
 * <p>
 * Work that goes round calls {@link #beat()} once a round, so that others can tell that
 * it goes on and not only that its thread is alive.
 */
public final class SupervisedWorker {

	private static final Logger logger = LoggerFactory.getLogger(SupervisedWorker.class);

	/** What a worker's thread runs: one that was left to itself stays stopped. */
	private static final ThreadLocal<Run> RUN = new ThreadLocal<>();

	private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

	/** Longer than who publishes waits for what is in flight. */
	private static final Duration PATIENCE = Duration.ofSeconds(6);

	/** Work that went on for so long has recovered: its next failure is a first one. */
	private static final Duration RECOVERED = Duration.ofMinutes(1);

	private final String name;

	private final ThreadFactory threads;

	private final Work work;

	private final LongAdder restarts = new LongAdder();

	private volatile CountDownLatch stopping = new CountDownLatch(0);

	private volatile boolean started;

	/** Null while there is nothing to do. */
	private volatile @Nullable Thread thread;

	/** Whether it was called since the present work began. */
	private boolean called;

	private volatile @Nullable WorkerFailure failure;

	private volatile long beatAt = System.nanoTime();

	/**
	 * Starts nothing yet.
	 * @param name of the thread
	 * @param threads makes the thread
	 * @param work what the thread runs; ends soon after {@link #isStopping()}, and when
	 * it is interrupted
	 */
	public SupervisedWorker(String name, ThreadFactory threads, Work work) {
		this.name = name;
		this.threads = threads;
		this.work = work;
	}

	/** A worker whose thread keeps the process alive. */
	public static SupervisedWorker of(String name, Work work) {
		return new SupervisedWorker(name, (task) -> thread(task, false), work);
	}

	/** A worker whose thread lets the process end. */
	public static SupervisedWorker daemon(String name, Work work) {
		return new SupervisedWorker(name, (task) -> thread(task, true), work);
	}

	private static Thread thread(Runnable task, boolean daemon) {
		Thread thread = new Thread(task);
		thread.setDaemon(daemon);
		return thread;
	}

	public String name() {
		return this.name;
	}

	/** Does nothing if it was started and not stopped since. */
	public synchronized void start() {
		if (!this.started) {
			startOnCall();
			boolean running = false;
			try {
				call();
				running = true;
			}
			finally {
				this.started = running;
			}
		}
	}

	/**
	 * Starts without a thread: it gets one with the first {@link #call()}. Does nothing
	 * if it was started and not stopped since.
	 */
	public synchronized void startOnCall() {
		if (!this.started) {
			this.stopping = new CountDownLatch(1);
			this.failure = null;
			this.called = false;
			beat();
			this.started = true;
		}
	}

	/**
	 * Says that there is something to do: the work runs from its beginning after this, on
	 * a thread that is made if the work had returned. Does nothing unless it is started,
	 * or when it is to stop.
	 * @throws OutOfMemoryError if there can be no further thread; the next call tries
	 * again
	 */
	public synchronized void call() {
		CountDownLatch stop = this.stopping;
		if (!this.started || stop.getCount() == 0) {
			return;
		}
		if (this.thread != null) {
			this.called = true;
			return;
		}
		Thread next = this.threads.newThread(() -> supervise(stop));
		next.setName(this.name);
		this.thread = next;
		boolean running = false;
		try {
			next.start();
			running = true;
		}
		finally {
			if (!running) {
				this.thread = null;
			}
		}
	}

	/** Whether its work, which has returned, is not called for again. */
	private synchronized boolean isDone(CountDownLatch stop) {
		if (this.stopping != stop || Thread.currentThread() != this.thread) {
			return true; // it was left to itself
		}
		if (this.called && stop.getCount() > 0) {
			this.called = false;
			return false;
		}
		if (stop.getCount() > 0) {
			beat();
		}
		this.failure = null;
		this.thread = null;
		return true;
	}

	/** Asks the work to end, and does not wait for that. */
	public void requestStop() {
		this.stopping.countDown();
	}

	/** Asks the work to end and interrupts it, and does not wait for that. */
	public void interrupt() {
		requestStop();
		Thread running = this.thread;
		if (running != null) {
			running.interrupt();
		}
	}

	/**
	 * Asks the work to end and waits until it has, or for some seconds: then it is
	 * interrupted, and left to itself if it does not end by that. If the caller is
	 * interrupted meanwhile, it interrupts the work and waits no longer.
	 */
	public void stop() {
		requestStop();
		try {
			if (!join(PATIENCE)) {
				interrupt();
				join(PATIENCE);
			}
		}
		catch (InterruptedException ex) {
			interrupt();
			Thread.currentThread().interrupt();
		}
		forget();
	}

	private synchronized void forget() {
		this.started = false;
		this.thread = null;
	}

	/**
	 * Waits until the thread has ended.
	 * @param wait how long at most
	 * @return whether it has; also true while it has none
	 */
	public boolean join(Duration wait) throws InterruptedException {
		Thread running = this.thread;
		if (running == null) {
			return true;
		}
		running.join(Math.max(1, wait.toMillis()));
		return !running.isAlive();
	}

	/** Whether it was started and not stopped since. */
	public boolean isRunning() {
		return this.started;
	}

	/** Whether the work is to end; true also before the first start. */
	public boolean isStopping() {
		return latch().getCount() == 0;
	}

	private CountDownLatch latch() {
		Run run = RUN.get();
		return (run != null && run.worker() == this) ? run.stop() : this.stopping;
	}

	/**
	 * For the work: rests until the pause is over or it is to end.
	 * @return whether it is to end
	 */
	public boolean awaitStop(Duration pause) throws InterruptedException {
		return latch().await(TimeUnit.NANOSECONDS.convert(pause), TimeUnit.NANOSECONDS);
	}

	/** For the work: it goes on. */
	public void beat() {
		this.beatAt = System.nanoTime();
		if (this.failure != null) {
			this.failure = null;
			logger.info("'{}' works again.", this.name);
		}
	}

	/** How long ago the work last said that it goes on. */
	public Duration sinceBeat() {
		return Duration.ofNanos(System.nanoTime() - this.beatAt);
	}

	/** Why it does not work now; null while it does, and after it ended in order. */
	public @Nullable WorkerFailure failure() {
		return this.failure;
	}

	/** How often its work began again since this worker was made. */
	public long restarts() {
		return this.restarts.sum();
	}

	/** What the thread is doing now; empty if there is none. */
	public List<StackTraceElement> stack() {
		Thread running = this.thread;
		return (running != null) ? List.of(running.getStackTrace()) : List.of();
	}

	private void supervise(CountDownLatch stop) {
		RUN.set(new Run(this, stop));
		int failures = 0;
		boolean goOn = true;
		while (goOn) {
			long began = System.nanoTime();
			try {
				this.work.run();
				failures = 0;
				goOn = !isDone(stop);
			}
			catch (Throwable ex) { // whatever ends the work, the thread goes on
				boolean recovered = System.nanoTime() - began > RECOVERED.toNanos();
				failures = recovered ? 1 : failures + 1;
				goOn = beginAgain(stop, ex, failures);
			}
		}
	}

	/** Returns whether the work is to begin again. */
	private boolean beginAgain(CountDownLatch stop, Throwable cause, int failures) {
		if (stop.getCount() == 0) {
			logStopped(cause);
			return false;
		}
		this.restarts.increment();
		Duration pause = pauseAfter(failures);
		try {
			this.failure = new WorkerFailure(this.name, String.valueOf(cause), failures, Clock.systemUTC().instant());
			if (failures == 1) {
				logger.error("'{}' ended unexpectedly. It begins again in {} ms.", this.name, pause.toMillis(), cause);
			}
			else {
				logger.debug("'{}' ended unexpectedly {} times in a row. It begins again in {} ms.", this.name,
						failures, pause.toMillis(), cause);
			}
		}
		catch (Throwable ex) {
			// no memory to say so: what matters is to go on
			return !isStoppedWithin(stop, pause);
		}
		return !isStoppedWithin(stop, pause);
	}

	private void logStopped(Throwable cause) {
		if (cause instanceof InterruptedException) {
			logger.debug("'{}' was interrupted to stop.", this.name);
		}
		else {
			logger.warn("'{}' stopped with an error.", this.name, cause);
		}
	}

	private static Duration pauseAfter(int failures) {
		Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(failures - 1, 10));
		return (pause.compareTo(LONGEST_PAUSE) < 0) ? pause : LONGEST_PAUSE;
	}

	/** An interrupt that no stop asked for does not end the pause for long. */
	private static boolean isStoppedWithin(CountDownLatch stop, Duration pause) {
		try {
			return stop.await(pause.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			return stop.getCount() == 0;
		}
	}

	/** From a start to its stop. */
	private record Run(SupervisedWorker worker, CountDownLatch stop) {
	}

	/** What a worker does. */
	@FunctionalInterface
	public interface Work {

		/**
		 * Does the work, until it is to stop or there is none left.
		 * @throws InterruptedException if the thread was interrupted
		 */
		void run() throws InterruptedException;

	}

}
