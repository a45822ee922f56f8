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
 * Answers of a server as they were some seconds ago, by name. Whoever looks never waits;
 * an old sample is replaced in the background, on one thread that ends when nobody looks.
 * Thread-safe.
 *
 * @param <T> what is asked for
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
	 * Samples of this.
	 * @param question asks the server about a name; may take its time, and throw
	 */
	Samples(Function<String, T> question) {
		this.question = question;
		this.background.allowCoreThreadTimeOut(true);
	}

	/** The last that is known, or null. */
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
		catch (Throwable ex) { // an answer that fails must not end who asks for the
								// others
			logger.debug("What '{}' is like cannot be told now.", name, ex);
		}
		this.samples.put(name, new Sample<>(System.nanoTime(), answer));
	}

	/**
	 * What is known.
	 *
	 * @param askedAt when it was asked for, by {@link System#nanoTime}
	 * @param answer the answer, or null
	 */
	private record Sample<T>(long askedAt, @Nullable T answer) {
	}

}
