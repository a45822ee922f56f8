package dev.eventing.sdk.projector.feed.jetstream;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ThreadLocalRandom;

import dev.eventing.sdk.event.ProjectorId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Why this node has not settled deliveries that it got lately: they come again, and count
 * towards those that may be unsettled. Thread-safe.
 */
final class GivenBack {

	private static final Logger logger = LoggerFactory.getLogger(GivenBack.class);

	/** After this at the latest an event is redelivered that another version handles. */
	static final Duration FOR_OTHERS = Duration.ofSeconds(3);

	private static final Duration FOR_OTHERS_AT_LEAST = Duration.ofSeconds(1);

	private final ProjectorId projector;

	private final Map<String, Reason> reasons = new ConcurrentSkipListMap<>();

	GivenBack(ProjectorId projector) {
		this.projector = projector;
	}

	/**
	 * The pause before an event is redelivered that another version handles. At random:
	 * after a pause in step with the requests of the nodes, the server would give it to
	 * the same node again.
	 */
	static Duration forOthers() {
		return Duration
			.ofMillis(ThreadLocalRandom.current().nextLong(FOR_OTHERS_AT_LEAST.toMillis(), FOR_OTHERS.toMillis() + 1));
	}

	/**
	 * Records a delivery that was not settled.
	 * @param about what it is about; a later one about the same replaces it, and the log
	 * has the first of them
	 * @param why as the end of a sentence that begins with the projector
	 * @param comesAgain after how long, at the latest, it is delivered again
	 */
	void note(String about, String why, Duration comesAgain) {
		this.reasons.values().removeIf((reason) -> !reason.isRecent());
		Reason before = this.reasons.put(about,
				new Reason(why, System.nanoTime() + comesAgain.multipliedBy(10).toNanos()));
		if (before == null) {
			logger.warn("Projector '{}' {}.", this.projector,
					why.endsWith(".") ? why.substring(0, why.length() - 1) : why);
		}
	}

	/** The reasons for the deliveries of late; an empty text if there was none. */
	String lately() {
		return String.join("; ",
				this.reasons.values().stream().filter(Reason::isRecent).map((reason) -> "it " + reason.why()).toList());
	}

	/**
	 * A reason.
	 *
	 * @param until until when it counts, by {@link System#nanoTime}
	 */
	private record Reason(String why, long until) {

		boolean isRecent() {
			return System.nanoTime() - this.until < 0;
		}

	}

}
