package dev.eventing.sdk.observability;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.projector.ProjectorLag;
import dev.eventing.sdk.projector.ProjectorProgress;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lag of projectors as it was some seconds ago. Whoever looks never waits for a
 * server; an old sample is replaced in the background, on one thread that ends when
 * nobody looks. Thread-safe.
 */
final class LagSamples {

	private static final Logger logger = LoggerFactory.getLogger(LagSamples.class);

	private static final Duration FRESH = Duration.ofSeconds(10);

	private final ProjectorProgress progress;

	private final Map<String, Sample> samples = new ConcurrentHashMap<>();

	private final ThreadPoolExecutor background = new ThreadPoolExecutor(1, 1, FRESH.toSeconds(), TimeUnit.SECONDS,
			new LinkedBlockingQueue<>(), (task) -> {
				Thread thread = new Thread(task, "eventing-lag");
				thread.setDaemon(true);
				return thread;
			});

	LagSamples(ProjectorProgress progress) {
		this.progress = progress;
		this.background.allowCoreThreadTimeOut(true);
	}

	/** The last that is known, or null. */
	@Nullable ProjectorLag last(String projector) {
		long now = System.nanoTime();
		Sample sample = this.samples.compute(projector, (name, known) -> {
			if (known != null && now - known.askedAt() < FRESH.toNanos()) {
				return known;
			}
			this.background.execute(() -> ask(name));
			return new Sample(now, (known != null) ? known.lag() : null);
		});
		return sample.lag();
	}

	private void ask(String projector) {
		ProjectorLag lag = null;
		try {
			lag = this.progress.lag(projector);
		}
		catch (RuntimeException ex) {
			logger.debug("The lag of projector '{}' cannot be told now.", projector, ex);
		}
		this.samples.put(projector, new Sample(System.nanoTime(), lag));
	}

	/**
	 * What is known.
	 *
	 * @param askedAt when it was asked for, by {@link System#nanoTime}
	 * @param lag the answer, or null
	 */
	private record Sample(long askedAt, @Nullable ProjectorLag lag) {
	}

}
