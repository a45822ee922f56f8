package dev.eventing.sdk.nats;

import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * A fast reader for confirmations, which a publisher gets in large numbers. It reads
 * exactly the forms that versions of nats-server write. The client reads all other forms.
 */
final class Confirmation {

	private static final byte[] STREAM = bytes("{\"stream\":\"");

	private static final byte[] SEQUENCE = bytes("\",\"seq\":");

	/** Of older servers, such as 2.10. */
	private static final byte[] SPACED_SEQUENCE = bytes("\", \"seq\":");

	private static final byte[] END = bytes("}");

	private static final byte[] DUPLICATE = bytes(",\"duplicate\": true}");

	private static final byte[] UNSPACED_DUPLICATE = bytes(",\"duplicate\":true}");

	private static final int MOST_DIGITS = 18;

	private Confirmation() {
	}

	/** The confirmation, or null if the text has any other form. */
	static @Nullable Published read(byte[] json) {
		if (!has(STREAM, json, 0)) {
			return null;
		}
		int nameEnd = STREAM.length;
		while (nameEnd < json.length && json[nameEnd] != '"' && json[nameEnd] != '\\') {
			nameEnd++;
		}
		int start = nameEnd + lengthIf(SEQUENCE, SPACED_SEQUENCE, json, nameEnd);
		if (start == nameEnd) {
			return null;
		}
		long sequence = 0;
		int end = start;
		while (end < json.length && json[end] >= '0' && json[end] <= '9') {
			sequence = 10 * sequence + json[end++] - '0';
		}
		boolean duplicate = isRest(DUPLICATE, json, end) || isRest(UNSPACED_DUPLICATE, json, end);
		if (end == start || end - start > MOST_DIGITS || !(duplicate || isRest(END, json, end))) {
			return null;
		}
		return new Published(new String(json, STREAM.length, nameEnd - STREAM.length, StandardCharsets.UTF_8), sequence,
				duplicate);
	}

	/** The length of the form that is there, or 0. */
	private static int lengthIf(byte[] one, byte[] other, byte[] json, int from) {
		if (has(one, json, from)) {
			return one.length;
		}
		return has(other, json, from) ? other.length : 0;
	}

	private static boolean isRest(byte[] expected, byte[] json, int from) {
		return json.length - from == expected.length && has(expected, json, from);
	}

	private static boolean has(byte[] expected, byte[] json, int from) {
		if (json.length - from < expected.length) {
			return false;
		}
		for (int i = 0; i < expected.length; i++) {
			if (json[from + i] != expected[i]) {
				return false;
			}
		}
		return true;
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

}
