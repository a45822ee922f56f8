package dev.eventing.sdk.liveview.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import dev.eventing.sdk.worker.OwnThreads;
import dev.eventing.sdk.worker.Stall;

/**
 * The threads on which listeners are called. Nothing else runs on them, so a listener
 * that does not return stops neither receiving nor reading. While one holds its thread,
 * the others get another one, up to a limit. Thread-safe.
 */
final class ListenerThreads {

	/** The number of listeners that may hang before others wait for them. */
	static final int MOST = 64;

	private static final int LEAST = 2;

	private final String name;

	private final OwnThreads threads = new OwnThreads(true);

	private final AtomicInteger created = new AtomicInteger();

	private final ThreadPoolExecutor pool = new ThreadPoolExecutor(LEAST, LEAST, 0, TimeUnit.SECONDS,
			new LinkedBlockingQueue<>(), this::thread);

	private final AtomicLong begun = new AtomicLong();

	/** When each of the threads that are busy began, by {@link System#nanoTime}. */
	private final Map<Thread, Long> busy = new ConcurrentHashMap<>();

	private long begunBefore;

	/**
	 * Starts none yet.
	 * @param name what the names of the threads begin with
	 */
	ListenerThreads(String name) {
		this.name = name;
	}

	private Thread thread(Runnable task) {
		Thread thread = this.threads.newThread(task);
		thread.setName(this.name + this.created.incrementAndGet());
		return thread;
	}

	/** Begins the time of a call. Called before each call of a listener. */
	void begins() {
		this.busy.put(Thread.currentThread(), System.nanoTime());
	}

	/** Runs calls of one listener soon. Does nothing after {@link #close}. */
	void run(Runnable calls) {
		try {
			this.pool.execute(() -> {
				this.begun.incrementAndGet();
				try {
					calls.run();
				}
				finally {
					this.busy.remove(Thread.currentThread());
				}
			});
		}
		catch (RejectedExecutionException ex) {
			// closed
		}
	}

	/**
	 * Adds a thread if calls wait and none has begun since the last time. Call it several
	 * times a second, on one thread.
	 */
	void tick() {
		long present = this.begun.get();
		boolean waits = !this.pool.getQueue().isEmpty();
		int threads = this.pool.getCorePoolSize();
		if (waits && present == this.begunBefore && threads < MOST) {
			this.pool.setMaximumPoolSize(threads + 1);
			this.pool.setCorePoolSize(threads + 1);
		}
		else if (!waits && threads > LEAST && this.pool.getActiveCount() + 1 < threads) {
			this.pool.setCorePoolSize(threads - 1);
			this.pool.setMaximumPoolSize(threads - 1);
		}
		this.begunBefore = present;
	}

	/** Listeners that have not returned for longer than this. */
	List<Stall> stalls(Duration longest) {
		List<Stall> stalls = new ArrayList<>();
		this.busy.forEach((thread, since) -> {
			Duration lasts = Duration.ofNanos(System.nanoTime() - since);
			if (lasts.compareTo(longest) > 0) {
				stalls.add(new Stall(thread.getName(), "a listener of a live view does not return", lasts,
						List.of(thread.getStackTrace())));
			}
		});
		return stalls;
	}

	/** Ends the threads, once they have run what waits. */
	void close() {
		this.pool.shutdown();
	}

}
