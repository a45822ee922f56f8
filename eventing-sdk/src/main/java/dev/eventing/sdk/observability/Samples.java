package dev.eventing.sdk.observability;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers of a server that are some seconds old, by name. A read never waits. An old
 * sample is refreshed in the background, on one thread that ends when there are no reads.
 * Thread-safe.
 *
 * @param <T> the type of the answers
 */
final class Samples<T> {

	private static final Logger logger = LoggerFactory.getLogger(Samples.class);

	private static final Duration FRESH = Duration.ofSeconds(10);

	private final Function<String, T> question;

	private final Map<String, Sample<T>> samples = new ConcurrentHashMap<>();

	private final ThreadPoolExecutor background = new ThreadPoolExecutor(1, 1, FRESH.toSeconds(), TimeUnit.SECONDS,
			new LinkedBlockingQueue<>(), (task) -> {
				Thread thread = new Thread(task, "eventing-samples");
				thread.setDaemon(true);
				return thread;
			});

	/**
	 * Creates samples.
	 * @param question queries the server about a name; may be slow, and may throw
	 */
	Samples(Function<String, T> question) {
		this.question = question;
		this.background.allowCoreThreadTimeOut(true);
	}

	/** The last known answer, or null. */
	@Nullable T last(String name) {
		long now = System.nanoTime();
		Sample<T> sample = this.samples.compute(name, (key, known) -> {
			if (known != null && now - known.askedAt() < FRESH.toNanos()) {
				return known;
			}
			this.background.execute(() -> ask(key));
			return new Sample<>(now, (known != null) ? known.answer() : null);
		});
		return sample.answer();
	}

	private void ask(String name) {
		T answer = null;
		try {
			answer = this.question.apply(name);
		}
		catch (Throwable ex) { // a failed query must not end the thread that refreshes
								// the others
			logger.debug("The sample of '{}' cannot be refreshed now.", name, ex);
		}
		this.samples.put(name, new Sample<>(System.nanoTime(), answer));
	}

	/**
	 * A sample.
	 *
	 * @param askedAt when it was queried, by {@link System#nanoTime}
	 * @param answer the answer, or null
	 */
	private record Sample<T>(long askedAt, @Nullable T answer) {
	}

}
