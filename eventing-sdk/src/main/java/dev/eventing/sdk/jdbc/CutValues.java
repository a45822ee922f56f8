package dev.eventing.sdk.jdbc;

import java.util.regex.Pattern;

/**
 * Cuts the values that the message of an exception quotes: they may be those of an event.
 */
public final class CutValues {

	/** The longest value within a message, in characters. */
	private static final int LONGEST = 60;

	/** In quotation marks, or the values of a key as PostgreSQL writes them. */
	private static final Pattern LONG_VALUE = Pattern
		.compile("(?s)(\"|(?<!\\w)'|(?<==)\\()([^\"')]{%1$s})[^\"')]+(?=[\"')])".formatted(LONGEST));

	/** Such as JSON. */
	private static final Pattern LONG_OBJECT = Pattern.compile("(?s)(\\{.{%1$s}).*}".formatted(LONGEST));

	/** PostgreSQL's detail of a violated constraint has the whole row. */
	private static final Pattern ROW = Pattern.compile("(?s)(Failing row contains )\\(.*");

	private CutValues() {
	}

	/** The message without rows, and with the first characters of long values. */
	public static String in(String message) {
		String rowless = ROW.matcher(message).replaceAll("$1(...)");
		return LONG_VALUE.matcher(LONG_OBJECT.matcher(rowless).replaceAll("$1...}")).replaceAll("$1$2...");
	}

}
