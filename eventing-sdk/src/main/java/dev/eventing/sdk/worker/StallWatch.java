package dev.eventing.sdk.worker;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for stalls on a separate daemon thread. Logs each stall once, with the stack
 * trace of the stalled thread, and again when it is over. Thread-safe.
 */
public final class StallWatch implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(StallWatch.class);

	private static final Duration INTERVAL = Duration.ofSeconds(1);

	private final Supplier<? extends Collection<Stall>> look;

	private final SupervisedWorker worker;

	/** The stalls that are logged already. Used by the worker's thread only. */
	private final Set<String> known = new HashSet<>();

	/**
	 * Does not start to look yet.
	 * @param name the thread's name
	 * @param look finds all current stalls; must not access a server
	 */
	public StallWatch(String name, Supplier<? extends Collection<Stall>> look) {
		this.look = look;
		this.worker = SupervisedWorker.daemon(name, this::run);
	}

	/** Does nothing if it runs. */
	public void start() {
		this.worker.start();
	}

	@Override
	public void close() {
		this.worker.stop();
	}

	private void run() throws InterruptedException {
		while (!this.worker.awaitStop(INTERVAL)) {
			report(this.look.get());
			this.worker.beat();
		}
	}

	private void report(Collection<Stall> stalls) {
		List<String> now = stalls.stream().map(Stall::what).toList();
		this.known.removeIf((what) -> {
			boolean over = !now.contains(what);
			if (over) {
				logger.info("'{}' makes progress again.", what);
			}
			return over;
		});
		stalls.stream()
			.filter((stall) -> this.known.add(stall.what()))
			.forEach((stall) -> logger.error("{}. Its thread is at:{}", stall.describe(), stall.trace()));
	}

}
