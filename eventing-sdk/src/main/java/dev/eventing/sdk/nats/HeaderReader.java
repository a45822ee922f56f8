package dev.eventing.sdk.nats;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import dev.eventing.sdk.event.EventHeaders;
import dev.eventing.sdk.event.PercentCoding;
import org.jspecify.annotations.Nullable;

/**
 * Reads blocks of headers in wire format: the version, lines of name, colon and value,
 * and an empty line. Accepts what the client accepts, with the same result. Other blocks
 * are {@linkplain EventHeaders#malformed malformed}; it never throws. It is stricter than
 * the client in three points: the block of an event has no status, no bytes follow the
 * empty line, and a line contains no line feed. It is less strict in one: bytes of values
 * beyond ASCII are percent-encoded, as CloudEvents wants them.
 *
 * <p>
 * Most lines are equal to those of the previous message, whose strings are then reused.
 * For one thread.
 */
final class HeaderReader {

	private static final byte[] VERSION = "NATS/1.0\r\n".getBytes(StandardCharsets.US_ASCII);

	private static final int DELETE = 127;

	/** An array for more lines is not kept for the next message. */
	private static final int MOST_ENDS = 1 << 10;

	private final KnownLines before = new KnownLines();

	/** Names and values of this message, as far as they are read. */
	private String[] texts = new String[0];

	/** Where each line that is read ends in the data. */
	private int[] ends = new int[16];

	/** The number of lines that are read. */
	private int count;

	/** Why the block is malformed. */
	private @Nullable String malformation;

	/** Reads the headers between two indexes. An empty range has no headers. */
	EventHeaders read(byte[] data, int from, int to) {
		if (from == to) {
			return EventHeaders.empty();
		}
		this.texts = new String[2 * Math.max(this.before.count(), 8)];
		if (this.ends.length > MOST_ENDS) {
			this.ends = new int[16];
		}
		this.count = 0;
		this.malformation = null;
		readLines(data, from, to);
		if (this.malformation != null) {
			return EventHeaders.malformed(Arrays.copyOfRange(data, from, to), this.malformation);
		}
		String[] all = (2 * this.count == this.texts.length) ? this.texts : Arrays.copyOf(this.texts, 2 * this.count);
		this.before.replace(data, from + VERSION.length, to, this.ends, all);
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
			int end = this.before.endOfEqual(this.count, data, at, to);
			if (end > 0) {
				add(this.before.name(this.count), this.before.value(this.count), end);
				at = end;
			}
			else {
				at = readLine(data, at, to);
			}
		}
		if (at >= 0 && (at + 2 != to || data[at + 1] != '\n')) {
			flawed("it does not end with an empty line");
		}
	}

	/**
	 * Returns the index of the next line, or a negative number if this line is malformed.
	 */
	private int readLine(byte[] data, int from, int to) {
		String known = this.before.equalName(this.count, data, from, to);
		if (known != null) {
			return readValue(known, data, from + known.length() + 1, to);
		}
		int colon = from;
		while (colon < to && data[colon] != ':' && !isLineEnd(data[colon])) {
			colon++;
		}
		if (colon == to || data[colon] != ':') {
			return flawed("line " + number() + " has no colon");
		}
		return readValue(nameIn(data, from, colon), data, colon + 1, to);
	}

	/**
	 * Reads the rest of a line.
	 * @param name the line's name, or null if it is malformed
	 */
	private int readValue(@Nullable String name, byte[] data, int from, int to) {
		int end = from;
		boolean isAscii = true;
		while (end < to && data[end] != '\r') {
			isAscii &= data[end] >= 0; // bytes beyond it are negative
			if (data[end] == '\n') {
				return flawed("the value in line " + number() + " holds the byte " + hex(data[end]));
			}
			end++;
		}
		if (end + 1 >= to || data[end + 1] != '\n') {
			return flawed("line " + number() + " has no end");
		}
		if (name == null) {
			return flawed("line " + number() + " does not begin with a name of visible ASCII characters and a colon");
		}
		int last = trimmedEnd(data, from, end);
		int first = trimmedStart(data, from, last);
		add(name, isAscii ? text(data, first, last) : PercentCoding.encodeBeyondAscii(data, first, last), end + 2);
		return end + 2;
	}

	/** The name without spaces around it, or null if it is malformed. */
	private static @Nullable String nameIn(byte[] data, int from, int colon) {
		int to = trimmedEnd(data, from, colon);
		int begin = trimmedStart(data, from, to);
		return isName(data, from, begin, to) ? text(data, begin, to) : null;
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

	private static String text(byte[] data, int from, int to) {
		return new String(data, from, to - from, StandardCharsets.ISO_8859_1);
	}

	private void add(String name, String value, int end) {
		if (2 * this.count == this.texts.length) {
			this.texts = Arrays.copyOf(this.texts, 4 * this.count);
		}
		if (this.count == this.ends.length) {
			this.ends = Arrays.copyOf(this.ends, 2 * this.count);
		}
		this.texts[2 * this.count] = name;
		this.texts[2 * this.count + 1] = value;
		this.ends[this.count] = end;
		this.count++;
	}

	private int flawed(String why) {
		this.malformation = why;
		return -1;
	}

	private int number() {
		return this.count + 1;
	}

	private static String hex(byte value) {
		return "0x%02X".formatted(value & 0xff);
	}

}
