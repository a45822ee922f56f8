package dev.eventing.benchmark.handwritten;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** How many events are committed. Thread-safe. */
final class Progress {

	private final int events;

	private final AtomicLong done = new AtomicLong();

	private final CompletableFuture<Void> end = new CompletableFuture<>();

	Progress(int events) {
		this.events = events;
	}

	void add(int committed) {
		if (this.done.addAndGet(committed) >= this.events) {
			this.end.complete(null);
		}
	}

	void fail(Exception failure) {
		this.end.completeExceptionally(failure);
	}

	boolean isOver() {
		return this.end.isDone();
	}

	/** Throws what was the failure, if there was one. */
	void requireGood() {
		if (this.end.isDone()) {
			this.end.join();
		}
	}

}
