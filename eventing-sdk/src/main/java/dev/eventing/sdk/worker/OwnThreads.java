package dev.eventing.sdk.worker;

import java.util.concurrent.ThreadFactory;

import org.jspecify.annotations.Nullable;

/**
 * Creates threads that have nothing of the thread which calls for them, such as that of a
 * web request. They inherit none of its thread-locals. Their context class loader is that
 * of the thread which created this: as a rule, the one that starts the application.
 * Thread-safe.
 */
public final class OwnThreads implements ThreadFactory {

	private final @Nullable ClassLoader loader = Thread.currentThread().getContextClassLoader();

	private final boolean daemon;

	/**
	 * Creates no thread yet.
	 * @param daemon whether the threads do not keep the process alive
	 */
	public OwnThreads(boolean daemon) {
		this.daemon = daemon;
	}

	@Override
	public Thread newThread(Runnable task) {
		Thread thread = new Thread(null, task, "eventing", 0, false);
		thread.setContextClassLoader(this.loader);
		thread.setDaemon(this.daemon);
		return thread;
	}

}
