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
 * The watch over all threads of an application's SDK. Looks for stalls once a second on a
 * separate daemon thread. Logs each stall once, with the stack trace of the stalled
 * thread, and again when it is over. Starts before the parts that it watches, and stops
 * after them. Thread-safe.
 */
public final class StallWatch implements RunningPart, AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(StallWatch.class);

	private static final Duration INTERVAL = Duration.ofSeconds(1);

	private final Supplier<? extends Collection<Watched>> parts;

	private final StallOptions options;

	private final SupervisedWorker worker = SupervisedWorker.daemon("eventing-watch", this::run);

	/** The stalls that are logged already. Used by the worker's thread only. */
	private final Set<String> known = new HashSet<>();

	/**
	 * Does not start to look yet.
	 * @param parts supplies what is watched
	 */
	public StallWatch(Supplier<? extends Collection<Watched>> parts, StallOptions options) {
		this.parts = parts;
		this.options = options;
	}

	/** What makes no progress now. Does not access a server. */
	public List<Stall> stalls() {
		return this.parts.get().stream().flatMap((part) -> part.stalls(this.options.stalledAfter()).stream()).toList();
	}

	private void run() throws InterruptedException {
		while (!this.worker.awaitStop(INTERVAL)) {
			report(stalls());
			this.worker.beat();
		}
	}

	private void report(Collection<Stall> stalls) {
		List<String> now = stalls.stream().map(Stall::what).toList();
		this.known.removeIf((what) -> {
			boolean over = !now.contains(what);
			if (over) {
				logger.info("'{}' makes progress again, or was stopped.", what);
			}
			return over;
		});
		stalls.stream()
			.filter((stall) -> this.known.add(stall.what()))
			.forEach((stall) -> logger.error("{}. Its thread is at:{}", stall.describe(), stall.trace()));
	}

	/** Does nothing if it runs. */
	@Override
	public void start() {
		this.worker.start();
	}

	@Override
	public void stop() {
		this.worker.stop();
	}

	@Override
	public boolean isRunning() {
		return this.worker.isRunning();
	}

	@Override
	public ApplicationPhase phase() {
		return ApplicationPhase.WATCH;
	}

	@Override
	public void close() {
		stop();
	}

}
