package dev.eventing.sdk.observability;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

import dev.eventing.sdk.jdbc.DatabaseFailure;
import dev.eventing.sdk.worker.NamedCauses;
import dev.eventing.sdk.worker.Stall;
import dev.eventing.sdk.worker.SupervisedWorker;
import dev.eventing.sdk.worker.Watched;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers of a server that are some seconds old, by name. Reads wait for the first answer
 * to a name, but all together for no more than a moment after the first read, so that a
 * first look at the meters has values. Later reads never wait. An old sample is refreshed
 * in the background, on one thread that ends when there are no reads. Thread-safe.
 *
 * @param <T> the type of the answers
 */
final class Samples<T> implements Watched {

	private static final Logger logger = LoggerFactory.getLogger(Samples.class);

	private static final Duration FRESH = Duration.ofSeconds(10);

	private static final Duration MOMENT = Duration.ofSeconds(1);

	private final Function<String, T> question;

	private final Duration moment;

	/** The {@link System#nanoTime} up to which reads may wait; 0 before the first. */
	private final AtomicLong waitUntil = new AtomicLong();

	private final Map<String, Sample<T>> samples = new ConcurrentHashMap<>();

	private final BlockingQueue<Runnable> asked = new LinkedBlockingQueue<>();

	/** What the log has said of each name since its last answer. */
	private final Map<String, NamedCauses> failures = new ConcurrentHashMap<>();

	private final String what;

	private final SupervisedWorker background;

	/**
	 * Creates samples.
	 * @param what what is asked of each name, for the log and the thread
	 * @param question queries the server about a name; may be slow, and may throw
	 */
	Samples(String what, Function<String, T> question) {
		this(what, question, MOMENT);
	}

	/**
	 * Creates samples.
	 * @param moment how long reads may wait, from the first one on
	 */
	Samples(String what, Function<String, T> question, Duration moment) {
		this.what = what;
		this.question = question;
		this.moment = moment;
		this.background = SupervisedWorker.daemon("eventing-samples-" + what.replace(' ', '-'), this::run);
		this.background.startOnCall();
	}

	@Override
	public List<Stall> stalls(Duration longest) {
		return this.background.stalls(longest);
	}

	/** Ends when there was nothing to ask for a while. */
	private void run() throws InterruptedException {
		Optional<Runnable> next = Optional.ofNullable(this.asked.poll());
		while (next.isPresent()) {
			next.get().run();
			this.background.beat();
			next = this.background
				.rest(() -> Optional.ofNullable(this.asked.poll(FRESH.toSeconds(), TimeUnit.SECONDS)));
		}
	}

	/** The last known answer, or null. */
	@Nullable T last(String name) {
		long now = System.nanoTime();
		this.waitUntil.compareAndSet(0, now + this.moment.toNanos());
		Sample<T> sample = this.samples.compute(name, (key, known) -> {
			if (known != null && now - known.askedAt() < FRESH.toNanos()) {
				return known;
			}
			CountDownLatch answered = (known != null) ? known.answered() : new CountDownLatch(1);
			this.asked.add(() -> ask(key, answered));
			return new Sample<>(now, answered, (known != null) ? known.answer() : null);
		});
		if (!this.asked.isEmpty()) {
			this.background.call();
		}
		awaitFirst(sample, now);
		return answerOf(name);
	}

	/** Waits for a first answer, which may come before this look at it. */
	private void awaitFirst(Sample<T> sample, long now) {
		long left = this.waitUntil.get() - now;
		try {
			if (left > 0 && !sample.answered().await(left, TimeUnit.NANOSECONDS)) {
				logger.debug("There is no answer yet.");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private @Nullable T answerOf(String name) {
		Sample<T> sample = this.samples.get(name);
		return (sample != null) ? sample.answer() : null;
	}

	private void ask(String name, CountDownLatch answered) {
		T answer = null;
		try {
			answer = this.question.apply(name);
			this.failures.remove(name);
		}
		catch (Throwable ex) { // a failed query must not end the thread that refreshes
								// the others
			failed(name, ex);
		}
		this.samples.put(name, new Sample<>(System.nanoTime(), answered, answer));
		answered.countDown();
	}

	private void failed(String name, Throwable failure) {
		if (this.failures.computeIfAbsent(name, (any) -> new NamedCauses()).isNews(failure)) {
			logger.warn("The {} '{}' cannot be read now: {}. Meters have no number until it can.", this.what, name,
					DatabaseFailure.describe(failure));
		}
		logger.debug("What stopped it.", failure);
	}

	/**
	 * A sample.
	 *
	 * @param askedAt when it was queried, by {@link System#nanoTime}
	 * @param answered counted down by the first answer to this name
	 * @param answer the answer, or null
	 */
	private record Sample<T>(long askedAt, CountDownLatch answered, @Nullable T answer) {
	}

}
