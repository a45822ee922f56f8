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
 * towards the limit of unsettled deliveries. Thread-safe.
 */
final class GivenBack {

	private static final Logger logger = LoggerFactory.getLogger(GivenBack.class);

	/** The longest pause before an event that another version handles is redelivered. */
	static final Duration FOR_OTHERS = Duration.ofSeconds(3);

	private static final Duration FOR_OTHERS_AT_LEAST = Duration.ofSeconds(1);

	private final ProjectorId projector;

	private final Map<String, Reason> reasons = new ConcurrentSkipListMap<>();

	GivenBack(ProjectorId projector) {
		this.projector = projector;
	}

	/**
	 * The pause before an event that another version handles is redelivered. It is
	 * random: in step with the requests of the nodes, the server would give the event to
	 * the same node again.
	 */
	static Duration forOthers() {
		return Duration
			.ofMillis(ThreadLocalRandom.current().nextLong(FOR_OTHERS_AT_LEAST.toMillis(), FOR_OTHERS.toMillis() + 1));
	}

	/**
	 * Records a delivery that was not settled.
	 * @param about the subject of the reason; a later reason about it replaces this one,
	 * and only the first one is logged
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

	/** The recent reasons; an empty text if there are none. */
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
