package dev.eventing.sdk.event;

/**
 * Makes foreign values safe for an error text or a log line: in quotes, cut to a readable
 * length, and without control characters, which could forge a log line.
 */
public final class Quoted {

	private static final int SHOWN = 80;

	private Quoted() {
	}

	/** The value in quotes. */
	public static String of(String value) {
		return "'" + plain(value) + "'";
	}

	/** The value without quotes. */
	public static String plain(String value) {
		return plain(value, SHOWN);
	}

	/** The value without quotes, with no more than this number of characters of it. */
	public static String plain(String value, int shown) {
		StringBuilder text = new StringBuilder();
		for (int i = 0; i < Math.min(value.length(), shown); i++) {
			char c = value.charAt(i);
			if (Character.isISOControl(c) || Character.isSurrogate(c) || c == '\u2028' || c == '\u2029') {
				appendSymbol(text, value, i, shown);
			}
			else {
				text.append(c);
			}
		}
		return text.append((value.length() > shown) ? "..." : "").toString();
	}

	private static void appendSymbol(StringBuilder text, String value, int i, int shown) {
		char c = value.charAt(i);
		boolean paired = Character.isHighSurrogate(c)
				? i + 1 < value.length() && Character.isLowSurrogate(value.charAt(i + 1))
				: Character.isLowSurrogate(c) && i > 0 && Character.isHighSurrogate(value.charAt(i - 1));
		boolean cut = Character.isHighSurrogate(c) && i == shown - 1;
		if (paired && !cut) {
			text.append(c);
		}
		else {
			text.append(String.format("\\u%04x", (int) c));
		}
	}

}
