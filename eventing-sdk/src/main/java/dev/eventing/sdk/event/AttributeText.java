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
