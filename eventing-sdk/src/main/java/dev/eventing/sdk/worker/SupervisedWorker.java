package dev.eventing.sdk.worker;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that survives failures of its work. Anything that the work throws, including
 * an {@link Error} or an unexpected interrupt, is logged with its cause and returned by
 * {@link #failure()}. The work then restarts on the same thread after a pause of 100 ms,
 * which doubles with each consecutive failure up to 10 s. The thread ends when the work
 * returns, or on a stop. {@link #call()} creates another thread when there is work again.
 * A stopped worker can be started again. Thread-safe.
 *
 * <p>
 * Work that goes round calls {@link #beat()} at the end of each round, so that others can
 * tell that it makes progress, and not only that its thread is alive.
 */
public final class SupervisedWorker implements Watched {

	private static final Logger logger = LoggerFactory.getLogger(SupervisedWorker.class);

	/**
	 * The run to which a worker's thread belongs. A thread that was abandoned by a stop
	 * stays stopped, even if the worker is started again.
	 */
	private static final ThreadLocal<Run> RUN = new ThreadLocal<>();

	/** How long a stop waits: longer than a publisher waits for events in flight. */
	private static final Duration PATIENCE = Duration.ofSeconds(6);

	/**
	 * After running for this time the work has recovered: its next failure counts as the
	 * first one.
	 */
	private static final Duration RECOVERED = Duration.ofMinutes(1);

	private final String name;

	private final ThreadFactory threads;

	private final Work work;

	private final Restarts restarts;

	private volatile CountDownLatch stopping = new CountDownLatch(0);

	private volatile boolean started;

	/** Null while there is no work. */
	private volatile @Nullable Thread thread;

	/** Whether it was called since the current work started. */
	private boolean called;

	private volatile @Nullable WorkerFailure failure;

	private final Heartbeat heartbeat = new Heartbeat();

	/**
	 * Does not start the thread yet.
	 * @param name the thread's name
	 * @param threads creates the thread
	 * @param work the work; must end soon when {@link #isStopping()} is true or its
	 * thread is interrupted
	 */
	public SupervisedWorker(String name, ThreadFactory threads, Work work) {
		this.name = name;
		this.threads = threads;
		this.work = work;
		this.restarts = new Restarts(name, (shown) -> this.failure = shown);
	}

	/** A worker whose thread keeps the process alive. */
	public static SupervisedWorker of(String name, Work work) {
		return new SupervisedWorker(name, new OwnThreads(false), work);
	}

	/** A worker with a daemon thread, which does not keep the process alive. */
	public static SupervisedWorker daemon(String name, Work work) {
		return new SupervisedWorker(name, new OwnThreads(true), work);
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
	 * Starts without a thread. The first {@link #call()} creates it. Does nothing if it
	 * was started and not stopped since.
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
	 * Signals that there is work. The work runs from its start after this call; if it had
	 * returned, a new thread is created. Does nothing if the worker is not started, or is
	 * stopping.
	 * @throws OutOfMemoryError if no thread can be created; the next call retries
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
		this.heartbeat.begins();
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

	/** Whether the work has returned and was not called again. */
	private synchronized boolean isDone(CountDownLatch stop) {
		if (this.stopping != stop || Thread.currentThread() != this.thread) {
			return true; // the thread was abandoned
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

	/** Requests the end of the work. Does not wait for it. */
	public void requestStop() {
		this.stopping.countDown();
	}

	/** Requests the end of the work and interrupts it. Does not wait for it. */
	public void interrupt() {
		requestStop();
		Thread running = this.thread;
		if (running != null) {
			running.interrupt();
		}
	}

	/**
	 * Requests the end of the work and waits some seconds for it. Then interrupts the
	 * work, and abandons its thread if the work still does not end. If the caller is
	 * interrupted meanwhile, it interrupts the work and stops waiting.
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
		this.failure = null;
	}

	/**
	 * Waits until the thread has ended.
	 * @param wait the longest wait
	 * @return whether it has ended; also true if there is no thread
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

	/** Whether the work must end. Also true before the first start. */
	public boolean isStopping() {
		return latch().getCount() == 0;
	}

	private CountDownLatch latch() {
		Run run = RUN.get();
		return (run != null && run.worker() == this) ? run.stop() : this.stopping;
	}

	/**
	 * Called by the work: waits until the pause is over or the work must end.
	 * @return whether the work must end
	 */
	public boolean awaitStop(Duration pause) throws InterruptedException {
		return rest(() -> latch().await(TimeUnit.NANOSECONDS.convert(pause), TimeUnit.NANOSECONDS));
	}

	/**
	 * Called by the work: waits for something that may take any time, such as its next
	 * task. Meanwhile the work does not hang, however long that takes.
	 */
	public <T> T rest(Wait<T> wait) throws InterruptedException {
		return this.heartbeat.rest(wait);
	}

	/** Called by the work after each round, as a sign of progress. */
	public void beat() {
		this.heartbeat.beat();
		if (this.failure != null) {
			this.failure = null;
			logger.info("'{}' works again.", this.name);
		}
	}

	/** The time since the work last signalled progress. */
	public Duration sinceBeat() {
		return this.heartbeat.sinceBeat();
	}

	/**
	 * The work hangs if it has neither signalled progress nor rested for longer than
	 * this. Work that has failed does not hang, nor does work that must end.
	 */
	@Override
	public List<Stall> stalls(Duration longest) {
		Thread running = this.thread;
		Duration lasts = this.heartbeat.silence();
		boolean hangs = lasts.compareTo(longest) > 0 && this.failure == null && !isStopping();
		return (running != null && hangs)
				? List.of(new Stall(this.name, "its thread does not go on", lasts, List.of(running.getStackTrace())))
				: List.of();
	}

	/** Why the work does not run now; null while it runs, and after it ended normally. */
	public @Nullable WorkerFailure failure() {
		return this.failure;
	}

	/** How often the work was restarted since this worker was created. */
	public long restarts() {
		return this.restarts.count();
	}

	/** The current stack trace of the thread; empty if there is no thread. */
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
			catch (Throwable ex) { // whatever ends the work, the thread continues
				boolean recovered = System.nanoTime() - began > RECOVERED.toNanos();
				failures = recovered ? 1 : failures + 1;
				goOn = beginAgain(stop, ex, failures);
			}
		}
		forgetFailure(stop);
	}

	/** A stopped worker has no failure, also if it was to begin again. */
	private synchronized void forgetFailure(CountDownLatch stop) {
		if (this.stopping == stop) {
			this.failure = null;
		}
	}

	/** Waits for the pause after a failure; returns whether the work must restart. */
	private boolean beginAgain(CountDownLatch stop, Throwable cause, int failures) {
		if (stop.getCount() == 0) {
			logStopped(cause);
			return false;
		}
		return !this.restarts.isStoppedWithinPause(stop, cause, failures);
	}

	private void logStopped(Throwable cause) {
		if (cause instanceof InterruptedException) {
			logger.debug("'{}' was interrupted to stop.", this.name);
		}
		else {
			logger.warn("'{}' stopped with an error.", this.name, cause);
		}
	}

	/** The time from a start to its stop. */
	private record Run(SupervisedWorker worker, CountDownLatch stop) {
	}

	/** The work of a worker. */
	@FunctionalInterface
	public interface Work {

		/**
		 * Does the work until it must stop or there is none left.
		 * @throws InterruptedException if the thread was interrupted
		 */
		void run() throws InterruptedException;

	}

}
