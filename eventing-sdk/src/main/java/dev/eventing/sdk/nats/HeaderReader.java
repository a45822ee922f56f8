package dev.eventing.sdk.nats;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import dev.eventing.sdk.event.EventHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Reads blocks of headers in wire format: the version, lines of name, colon and value,
 * and an empty line. Accepts what the client accepts, with the same result. Other blocks
 * are {@linkplain EventHeaders#malformed malformed}; it never throws. It is stricter than
 * the client in three points: the block of an event has no status, no bytes follow the
 * empty line, and a line contains no line feed.
 *
 * <p>
 * Most names and values are equal to those of the previous message, whose strings are
 * then reused. For one thread.
 */
final class HeaderReader {

	private static final byte[] VERSION = "NATS/1.0\r\n".getBytes(StandardCharsets.US_ASCII);

	private static final int DELETE = 127;

	/** Names and values of the previous message, alternating. */
	private String[] before = new String[0];

	/** Names and values of this message, as far as they are read. */
	private String[] lines = this.before;

	private int count;

	/** Why the block is malformed. */
	private @Nullable String malformation;

	/** Reads the headers between two indexes. An empty range has no headers. */
	EventHeaders read(byte[] data, int from, int to) {
		if (from == to) {
			return EventHeaders.empty();
		}
		this.lines = new String[Math.max(this.before.length, 16)];
		this.count = 0;
		this.malformation = null;
		readLines(data, from, to);
		if (this.malformation != null) {
			return EventHeaders.malformed(Arrays.copyOfRange(data, from, to), this.malformation);
		}
		String[] all = (this.count == this.lines.length) ? this.lines : Arrays.copyOf(this.lines, this.count);
		this.before = all;
		return EventHeaders.ofLines(all);
	}

	private void readLines(byte[] data, int from, int to) {
		if (to - from < VERSION.length
				|| !Arrays.equals(data, from, from + VERSION.length, VERSION, 0, VERSION.length)) {
			flawed("it does not begin with a line 'NATS/1.0'");
			return;
		}
		int at = from + VERSION.length;
		while (at >= 0 && at < to && data[at] != '\r') {
			at = readLine(data, at, to);
		}
		if (at >= 0 && (at + 2 != to || data[at + 1] != '\n')) {
			flawed("it does not end with an empty line");
		}
	}

	/**
	 * Returns the index of the next line, or a negative number if this line is malformed.
	 */
	private int readLine(byte[] data, int from, int to) {
		int colon = from;
		boolean plain = data[from] != ':';
		while (colon < to && data[colon] != ':' && !isLineEnd(data[colon])) {
			// bytes beyond ASCII are negative
			plain &= data[colon] > ' ' && data[colon] != DELETE;
			colon++;
		}
		if (colon == to || data[colon] != ':') {
			return flawed("line " + number() + " has no colon");
		}
		int value = colon + 1;
		int end = value;
		while (end < to && data[end] != '\r') {
			if (data[end] < 0 || data[end] == '\n') {
				return flawed("the value in line " + number() + " holds the byte " + hex(data[end]));
			}
			end++;
		}
		if (end + 1 >= to || data[end + 1] != '\n') {
			return flawed("line " + number() + " has no end");
		}
		int nameEnd = plain ? colon : trimmedEnd(data, from, colon);
		int name = plain ? from : trimmedStart(data, from, nameEnd);
		if (!plain && !isName(data, from, name, nameEnd)) {
			return flawed("line " + number() + " does not begin with a name of visible ASCII characters and a colon");
		}
		int valueEnd = trimmedEnd(data, value, end);
		add(data, name, nameEnd);
		add(data, trimmedStart(data, value, valueEnd), valueEnd);
		return end + 2;
	}

	private static boolean isLineEnd(byte value) {
		return value == '\r' || value == '\n';
	}

	/**
	 * Rejects a leading space, which other protocols use to continue the previous line.
	 */
	private static boolean isName(byte[] data, int line, int from, int to) {
		boolean name = from < to && data[line] != ' ';
		for (int i = from; i < to; i++) {
			name &= data[i] > ' ' && data[i] != DELETE;
		}
		return name;
	}

	private static int trimmedStart(byte[] data, int from, int to) {
		int start = from;
		while (start < to && data[start] >= 0 && data[start] <= ' ') {
			start++;
		}
		return start;
	}

	private static int trimmedEnd(byte[] data, int from, int to) {
		int end = to;
		while (end > from && data[end - 1] >= 0 && data[end - 1] <= ' ') {
			end--;
		}
		return end;
	}

	private void add(byte[] data, int from, int to) {
		if (this.count == this.lines.length) {
			this.lines = Arrays.copyOf(this.lines, 2 * this.count);
		}
		String known = (this.count < this.before.length) ? this.before[this.count] : null;
		this.lines[this.count++] = (known != null && isSame(known, data, from, to)) ? known
				: new String(data, from, to - from, StandardCharsets.ISO_8859_1);
	}

	private static boolean isSame(String text, byte[] data, int from, int to) {
		if (text.length() != to - from) {
			return false;
		}
		for (int i = 0; i < text.length(); i++) {
			if (text.charAt(i) != data[from + i]) {
				return false;
			}
		}
		return true;
	}

	private int flawed(String why) {
		this.malformation = why;
		return -1;
	}

	private int number() {
		return this.count / 2 + 1;
	}

	private static String hex(byte value) {
		return "0x%02X".formatted(value & 0xff);
	}

}
