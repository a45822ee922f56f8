package dev.eventing.sdk.store;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * One read of the locks for all readers of a process that wait at a hole. A caller shares
 * the last read if that began late enough, even if it is still running. Thread-safe.
 */
final class SharedLockRead {

	private final Supplier<Map<String, Boolean>> source;

	private @Nullable LockRead last;

	SharedLockRead(Supplier<Map<String, Boolean>> source) {
		this.source = source;
	}

	/**
	 * The result of a read that began no earlier than the given time. Throws the
	 * exception of that read.
	 * @param since by {@link System#nanoTime}
	 */
	Map<String, Boolean> since(long since) {
		LockRead own = new LockRead();
		LockRead shared = readSince(since, own);
		if (shared == own) {
			take(own);
		}
		try {
			return shared.found.join();
		}
		catch (CompletionException ex) {
			throw (ex.getCause() instanceof RuntimeException cause) ? cause : ex;
		}
	}

	private synchronized LockRead readSince(long since, LockRead own) {
		LockRead shared = this.last;
		if (shared == null || shared.begunAt - since < 0) {
			shared = own;
			this.last = own;
		}
		return shared;
	}

	private void take(LockRead read) {
		try {
			read.found.complete(this.source.get());
		}
		catch (Throwable ex) { // the callers that share the read must get the error
			forget(read);
			read.found.completeExceptionally(ex);
		}
	}

	private synchronized void forget(LockRead read) {
		if (this.last == read) {
			this.last = null;
		}
	}

	/** A read of the locks. */
	private static final class LockRead {

		/** Taken before the read began, by {@link System#nanoTime}. */
		private final long begunAt = System.nanoTime();

		private final CompletableFuture<Map<String, Boolean>> found = new CompletableFuture<>();

	}

}
