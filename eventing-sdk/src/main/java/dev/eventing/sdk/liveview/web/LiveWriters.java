package dev.eventing.sdk.liveview.web;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.SupervisedWorker;

/**
 * A few threads that write to all connections. Writing does not block, so they are
 * enough. A connection waits here once at most. Thread-safe.
 */
final class LiveWriters {

	private static final int MOST = 4;

	private final BlockingQueue<Runnable> waiting = new LinkedBlockingQueue<>();

	private final List<Writer> writers;

	LiveWriters() {
		int count = Math.max(1, Math.min(MOST, Runtime.getRuntime().availableProcessors()));
		this.writers = IntStream.range(0, count).mapToObj(Writer::new).toList();
	}

	void start() {
		this.writers.forEach((writer) -> writer.worker.start());
	}

	void stop() {
		this.writers.forEach((writer) -> writer.worker.requestStop());
		this.writers.forEach((writer) -> writer.worker.stop());
		this.waiting.clear();
	}

	List<Stall> stalls(Duration longest) {
		return this.writers.stream().flatMap((writer) -> writer.worker.stalls(longest).stream()).toList();
	}

	/** Runs what writes to a connection soon. */
	void run(Runnable writing) {
		this.waiting.add(writing);
	}

	private final class Writer {

		private final SupervisedWorker worker;

		private Writer(int number) {
			this.worker = SupervisedWorker.daemon("eventing-live-writer-" + number, this::run);
		}

		private void run() throws InterruptedException {
			while (!this.worker.isStopping()) {
				Runnable writing = LiveWriters.this.waiting.poll(250, TimeUnit.MILLISECONDS);
				if (writing != null) {
					writing.run();
				}
				this.worker.beat();
			}
		}

	}

}
