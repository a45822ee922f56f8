package dev.eventing.soak.judge;

import org.jspecify.annotations.Nullable;

/**
 * The status that a node reported.
 *
 * @param at when, by {@link System#nanoTime()}
 * @param health UP, OUT_OF_SERVICE, DOWN or UNKNOWN
 * @param duplicates how many deliveries of applied events it met since its start
 * @param states each projector and relay with its state
 */
public record NodeStatus(long at, String health, long duplicates, String states) {

	private static final String MARK = "#status ";

	/** The status in a line of output; null if it is any other line. */
	public static @Nullable NodeStatus parse(String line, long at) {
		String[] words = line.startsWith(MARK) ? line.substring(MARK.length()).split(" ", 3) : new String[0];
		return (words.length == 3) ? new NodeStatus(at, words[0], Long.parseLong(words[1]), words[2]) : null;
	}

	boolean isUp() {
		return this.health.equals("UP");
	}

}
