package dev.eventing.sdk.nats;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The line with which the server begins a message: where its parts are, and how long the
 * message is. Reads one line after the other. For one thread.
 */
final class MessageLine {

	static final byte[] MSG = "MSG ".getBytes(StandardCharsets.US_ASCII);

	static final byte[] HMSG = "HMSG ".getBytes(StandardCharsets.US_ASCII);

	static final int LINE_END = 2;

	static final int MOST_DIGITS = 9;

	private static final byte[] ACK = "$JS.ACK.".getBytes(StandardCharsets.US_ASCII);

	private static final String NO_LENGTH = "The server sends a message without a length.";

	private static final int MOST_TOKENS = 5;

	private final int[] tokens = new int[MOST_TOKENS + 1];

	private int count;

	private boolean headers;

	private boolean delivery;

	private int headerLength;

	private int total;

	/**
	 * Reads a complete line, including its end.
	 * @throws IOException if it violates the NATS protocol
	 */
	void read(byte[] text, int from, int to) throws IOException {
		this.headers = (text[from] | 0x20) == 'h';
		int first = from + (this.headers ? HMSG.length : MSG.length);
		int numbers = this.headers ? 2 : 1;
		boolean known = to - first > LINE_END && isOp(text, from, this.headers ? HMSG : MSG);
		this.count = known ? split(text, first, to - LINE_END) : 0;
		if (this.count < 2 + numbers || this.count > 3 + numbers || text[to - LINE_END] != '\r') {
			throw new IOException("The server sends a line of a message that cannot be read.");
		}
		this.total = number(text, this.count - 1);
		this.headerLength = this.headers ? number(text, this.count - 2) : 0;
		if (this.headerLength > this.total) {
			throw new IOException("The server sends a message that is shorter than its headers.");
		}
		this.delivery = this.count == 3 + numbers && isAck(text, this.tokens[2], this.tokens[3]);
	}

	/** Whether a consumer delivers the message, for an acknowledgement. */
	boolean isDelivery() {
		return this.delivery;
	}

	boolean hasHeaders() {
		return this.headers;
	}

	/** The number of bytes of the headers. */
	int headerLength() {
		return this.headerLength;
	}

	/** The number of bytes of headers and body. */
	int total() {
		return this.total;
	}

	/** Where the subject begins. */
	int subject() {
		return this.tokens[0];
	}

	int behindSubject() {
		return this.tokens[1] - 1;
	}

	/** Where the lengths begin, if there is a reply subject and no headers. */
	int behindReply() {
		return this.tokens[3];
	}

	/** Where the lengths begin, if there are headers. */
	int lengths() {
		return this.tokens[this.count - 2];
	}

	/**
	 * Whether the line starts with this operation, in any case, followed by a space or
	 * tab, as the client accepts it.
	 */
	private static boolean isOp(byte[] text, int from, byte[] op) {
		int blank = op.length - 1;
		for (int i = 0; i < blank; i++) {
			if ((text[from + i] & ~0x20) != op[i]) {
				return false;
			}
		}
		return text[from + blank] == ' ' || text[from + blank] == '\t';
	}

	/**
	 * Records the start of each token, and the end of the last one plus its separator;
	 * returns the number of tokens.
	 */
	private int split(byte[] text, int from, int to) {
		int count = 0;
		this.tokens[count++] = from;
		for (int i = from; i < to && count < this.tokens.length; i++) {
			if (text[i] == ' ' || text[i] == '\t') {
				this.tokens[count++] = i + 1;
			}
		}
		if (count < this.tokens.length) {
			this.tokens[count] = to + 1;
		}
		return count;
	}

	private int number(byte[] text, int token) throws IOException {
		int from = this.tokens[token];
		int to = this.tokens[token + 1] - 1;
		int number = 0;
		if (from >= to || to - from > MOST_DIGITS) {
			throw new IOException(NO_LENGTH);
		}
		for (int i = from; i < to; i++) {
			if (text[i] < '0' || text[i] > '9') {
				throw new IOException(NO_LENGTH);
			}
			number = 10 * number + text[i] - '0';
		}
		return number;
	}

	private static boolean isAck(byte[] text, int from, int next) {
		return next - 1 - from > ACK.length && Arrays.equals(text, from, from + ACK.length, ACK, 0, ACK.length);
	}

}
