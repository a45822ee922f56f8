package dev.eventing.sdk.event;

import org.jspecify.annotations.Nullable;

/**
 * Which texts an attribute may hold. PostgreSQL stores neither U+0000 nor half a
 * surrogate pair, and an index row holds less than 2704 bytes. An attribute outside these
 * limits could not even be stored as a dead letter.
 */
final class AttributeText {

	/** In UTF-16 units. Each takes at most three bytes in UTF-8. */
	static final int MAX_LENGTH = 512;

	private AttributeText() {
	}

	/** What the end of a text that was cut is made of: it must not change. */
	private static final String REST = "eventing:rest";

	private static final char CUT = '~';

	private static final int LENGTH_OF_UUID = 36;

	private static final int REPLACEMENT = 0xFFFD;

	/**
	 * The text, if it is valid. Otherwise a part of it that is, and a UUID of the whole:
	 * the same text always gives the same, and texts that differ stay different.
	 */
	static String fitted(String text) {
		if (problem(text) == null) {
			return text;
		}
		int room = MAX_LENGTH - LENGTH_OF_UUID - 1;
		StringBuilder fitted = new StringBuilder(MAX_LENGTH);
		int at = 0;
		while (at < text.length()) {
			int point = text.codePointAt(at);
			at += Character.charCount(point);
			boolean isStorable = point != 0 && Character.getType(point) != Character.SURROGATE;
			if (fitted.length() + Character.charCount(point) > room) {
				break;
			}
			fitted.appendCodePoint(isStorable ? point : REPLACEMENT);
		}
		return fitted.append(CUT).append(UuidV5.of(REST, text)).toString();
	}

	/** What is wrong with the text and what to change; null if the text is valid. */
	static @Nullable String problem(String text) {
		if (text.length() > MAX_LENGTH) {
			return "is " + text.length() + " characters long. Consider at most " + MAX_LENGTH;
		}
		return problemOfCharacters(text);
	}

	private static @Nullable String problemOfCharacters(String text) {
		for (int i = 0; i < text.length(); i++) {
			char c = text.charAt(i);
			if (c == 0) {
				return "holds the character U+0000. Consider leaving it out";
			}
			if (Character.isSurrogate(c)) {
				if (!Character.isSurrogatePair(c, (i + 1 < text.length()) ? text.charAt(i + 1) : 0)) {
					return "holds half a surrogate pair. Consider valid Unicode text";
				}
				i++;
			}
		}
		return null;
	}

}
