package dev.eventing.sdk.projector.feed.jetstream;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

import dev.eventing.sdk.event.ProjectorId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Why a projector cannot read which events JetStream gives up. The log has each cause
 * once, and again if it comes back after the projector could read them again. For the
 * thread that reads them, except {@link #alarm}.
 */
final class AdvisoryTrouble {

	private static final Logger logger = LoggerFactory.getLogger(AdvisoryTrouble.class);

	/**
	 * The parts of a text that may differ while the cause is the same: numbers, and the
	 * words of the server, which contain a time or the name of an inbox.
	 */
	private static final Pattern VARIABLE = Pattern.compile("(?<=reported: ).*|\\d+");

	/** The most causes of one interruption in the log. */
	private static final int MOST = 20;

	private final ProjectorId projector;

	private final Set<String> logged = new HashSet<>();

	/** Whether requests fail, and since when. */
	private boolean fails;

	private long failsSince;

	private volatile @Nullable String current;

	AdvisoryTrouble(ProjectorId projector) {
		this.projector = projector;
	}

	/** Records a failure that passes by itself, unless it lasts. */
	void failed(String why) {
		long now = System.nanoTime();
		if (!this.fails) {
			this.fails = true;
			this.failsSince = now;
		}
		if (now - this.failsSince > Standstill.NOTEWORTHY.toNanos()) {
			lasts(why);
		}
	}

	/** Earlier failures do not count any more: something was answered, or not asked. */
	void failsNoMore() {
		this.fails = false;
	}

	/** Records what is in the way until somebody changes something. */
	void lasts(String why) {
		if (this.logged.size() < MOST && this.logged.add(VARIABLE.matcher(why).replaceAll(""))) {
			logger.warn("Projector '{}' cannot read which events JetStream gives up: {}", this.projector, why);
		}
		this.current = why;
	}

	/** Records that nothing is in the way. */
	void isOver() {
		failsNoMore();
		this.logged.clear();
		if (this.current != null) {
			logger.info("Projector '{}' reads again which events JetStream gives up.", this.projector);
			this.current = null;
		}
	}

	/**
	 * What operators must know, as an addition to the state of the projector; or an empty
	 * text. For any thread.
	 */
	String alarm() {
		String why = this.current;
		return (why != null) ? "; " + describe(why) : "";
	}

	private static String describe(String why) {
		return "it cannot read which events JetStream gives up: " + why;
	}

}
