package dev.eventing.sdk.event;

import org.jspecify.annotations.Nullable;

/**
 * The version of an event's type, as its publisher wrote it. The SDK writes whole numbers
 * from 1 on. Others use the attribute for versions of their own, such as {@code 1.0} or a
 * date. Only a class that has versions depends on what they mean.
 *
 * @param number the version; 0 if the text tells none
 * @param text what was written in place of a whole number from 1 on, or null
 */
record TypeVersion(int number, @Nullable String text) {

	private static final TypeVersion ONE = new TypeVersion(1, null);

	static TypeVersion of(int number) {
		return (number == 1) ? ONE : new TypeVersion(number, null);
	}

	/** Absent means 1, as for all events that were written before their type had two. */
	static TypeVersion read(@Nullable String text) {
		if (text == null) {
			return ONE;
		}
		int point = text.indexOf('.');
		boolean isWhole = point < 0;
		if (isWhole || (point < text.length() - 1 && isOnly(text, point + 1, '0', '0'))) {
			int number = number(isWhole ? text : text.substring(0, point));
			return (isWhole && number > 0) ? of(number) : new TypeVersion(number, text);
		}
		return new TypeVersion(0, text);
	}

	private static int number(String text) {
		try {
			// Integer also takes a sign, and digits of other scripts.
			return isOnly(text, 0, '0', '9') ? Integer.parseInt(text) : 0;
		}
		catch (NumberFormatException ex) {
			return 0; // none, or beyond an int
		}
	}

	private static boolean isOnly(String text, int from, char lowest, char highest) {
		for (int i = from; i < text.length(); i++) {
			if (text.charAt(i) < lowest || text.charAt(i) > highest) {
				return false;
			}
		}
		return true;
	}

	/** Whether it was written as the SDK writes versions. */
	boolean isCertain() {
		return this.text == null;
	}

	/**
	 * Whether a payload in it needs no change for a class of a version. A class of
	 * version 1 has no versions, so it takes what is not certain as it is.
	 */
	boolean fits(int version) {
		return this.number == version || (!isCertain() && version == 1);
	}

}
