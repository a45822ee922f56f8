package dev.eventing.sdk.store;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * One look at the locks for all readers of a process that stand at a hole: who asks
 * shares the last look if that began late enough, also while it is under way.
 * Thread-safe.
 */
final class SharedLook {

	private final Supplier<Map<String, Boolean>> source;

	private @Nullable Look last;

	SharedLook(Supplier<Map<String, Boolean>> source) {
		this.source = source;
	}

	/**
	 * What a look found that began no earlier than this. Throws what that look threw.
	 * @param since by {@link System#nanoTime}
	 */
	Map<String, Boolean> since(long since) {
		Look own = new Look();
		Look shared = lookSince(since, own);
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

	private synchronized Look lookSince(long since, Look own) {
		Look shared = this.last;
		if (shared == null || shared.begunAt - since < 0) {
			shared = own;
			this.last = own;
		}
		return shared;
	}

	private void take(Look look) {
		try {
			look.found.complete(this.source.get());
		}
		catch (Throwable ex) { // who shares it must hear of it
			forget(look);
			look.found.completeExceptionally(ex);
		}
	}

	private synchronized void forget(Look look) {
		if (this.last == look) {
			this.last = null;
		}
	}

	/** A look at the locks. */
	private static final class Look {

		/** Before it began, by {@link System#nanoTime}. */
		private final long begunAt = System.nanoTime();

		private final CompletableFuture<Map<String, Boolean>> found = new CompletableFuture<>();

	}

}
