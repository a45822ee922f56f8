package dev.eventing.sdk.projector.inline;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When a projector tries to become inline, or to leave. Each try may keep appends
 * waiting, so it pauses longer and longer. For the thread of the intake.
 */
final class InlineTries {

	private static final Logger logger = LoggerFactory.getLogger(InlineTries.class);

	private static final Duration FIRST_PAUSE = Duration.ofMillis(250);

	/** Up to 8 s. */
	private static final int MOST_DOUBLED = 5;

	/** Up to 1 s: somebody waits for it. */
	private static final int MOST_DOUBLED_FOR_OPERATORS = 2;

	/** After as many failures operators see why it does not turn. */
	private static final int WORTH_TELLING = 3;

	private static final Pattern NUMBER = Pattern.compile("\\d+");

	private final String projector;

	/** Why it is not inline yet. */
	private String obstacle = InlineTurn.DONE;

	/** How often in succession it could not turn. */
	private int failures;

	/** How often in succession it could not leave. */
	private int notLeft;

	/** The obstacles that the log has since it last turned, whatever their numbers. */
	private final Set<String> logged = new HashSet<>();

	/** By {@link System#nanoTime}. */
	private long nextTurn = System.nanoTime();

	/** By {@link System#nanoTime}. */
	private long nextLeave = System.nanoTime();

	InlineTries(String projector) {
		this.projector = projector;
	}

	boolean mayTurn() {
		return System.nanoTime() - this.nextTurn >= 0;
	}

	boolean mayLeave() {
		return System.nanoTime() - this.nextLeave >= 0;
	}

	/** It did not try to turn: it has more to read, or to delete, before. */
	void turnsLater() {
		this.nextTurn = after(0);
	}

	/**
	 * It has tried to turn.
	 * @param found {@link InlineTurn#DONE}, or why not
	 */
	void turned(String found) {
		this.obstacle = found;
		if (found.isEmpty()) {
			this.logged.clear();
		}
		this.failures = found.isEmpty() ? 0 : this.failures + 1;
		this.nextTurn = after(Math.min(this.failures, MOST_DOUBLED));
		if (this.failures >= WORTH_TELLING && this.logged.add(NUMBER.matcher(found).replaceAll(""))) {
			logger.warn("Projector '{}' does not become inline: {}. It reads the event store, and tries again.",
					this.projector, found);
		}
	}

	/**
	 * It has tried to leave.
	 * @param operatorWaits whether an operator waits for it
	 */
	void left(boolean left, boolean operatorWaits) {
		this.notLeft = left ? 0 : this.notLeft + 1;
		this.nextLeave = after(Math.min(this.notLeft, operatorWaits ? MOST_DOUBLED_FOR_OPERATORS : MOST_DOUBLED));
		if (left) {
			this.failures = 0;
			this.nextTurn = after(0);
		}
	}

	/** Why it is not inline yet, as an addition to its state; or an empty text. */
	String because() {
		return (this.failures < WORTH_TELLING || this.obstacle.isEmpty()) ? "" : "; not yet: " + this.obstacle;
	}

	private static long after(int doubled) {
		return System.nanoTime() + (FIRST_PAUSE.toNanos() << doubled);
	}

}
