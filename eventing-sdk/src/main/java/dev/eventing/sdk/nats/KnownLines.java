package dev.eventing.sdk.nats;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * The header lines of the previous message, and the names and values that were read from
 * them. Most lines come again with each message: a comparison of bytes replaces reading
 * them. For one thread.
 */
final class KnownLines {

	/** The lines of a larger message are not remembered, so that memory stays small. */
	private static final int MOST_BYTES = 64 << 10;

	/** The lines in wire format, one after another. */
	private byte[] bytes = new byte[0];

	/** Where each line ends in the bytes. */
	private int[] ends = new int[0];

	/** The name and the value of each line, alternating. */
	private String[] texts = new String[0];

	/**
	 * Replaces the lines.
	 * @param data its bytes between the two indexes are the lines; copied
	 * @param ends where each line ends in the data; copied
	 * @param texts the name and the value of each line, alternating; not copied
	 */
	void replace(byte[] data, int from, int to, int[] ends, String[] texts) {
		int length = to - from;
		int count = texts.length / 2;
		if (length > MOST_BYTES) {
			this.texts = new String[0];
			return;
		}
		if (this.bytes.length < length) {
			this.bytes = new byte[length];
		}
		if (this.ends.length < count) {
			this.ends = new int[count];
		}
		System.arraycopy(data, from, this.bytes, 0, length);
		for (int i = 0; i < count; i++) {
			this.ends[i] = ends[i] - from;
		}
		this.texts = texts;
	}

	/**
	 * Whether the data continues with this line.
	 * @return the index after the line, or -1 if there is no such line or it differs
	 */
	int endOfEqual(int line, byte[] data, int from, int to) {
		if (line >= count()) {
			return -1;
		}
		int begin = begin(line);
		int end = from + this.ends[line] - begin;
		return (end <= to && Arrays.equals(data, from, end, this.bytes, begin, this.ends[line])) ? end : -1;
	}

	/**
	 * The name of this line if the data continues with the same bytes up to the colon and
	 * the line has no space around its name. Otherwise null.
	 */
	@Nullable String equalName(int line, byte[] data, int from, int to) {
		if (line >= count()) {
			return null;
		}
		String name = name(line);
		int begin = begin(line);
		int colon = begin + name.length();
		int end = from + name.length() + 1;
		// The colon ends the name: a space around it would put the colon elsewhere.
		return (this.bytes[colon] == ':' && end <= to && Arrays.equals(data, from, end, this.bytes, begin, colon + 1))
				? name : null;
	}

	String name(int line) {
		return this.texts[2 * line];
	}

	String value(int line) {
		return this.texts[2 * line + 1];
	}

	int count() {
		return this.texts.length / 2;
	}

	private int begin(int line) {
		return (line > 0) ? this.ends[line - 1] : 0;
	}

}
