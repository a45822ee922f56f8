package dev.eventing.sdk.nats;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import io.nats.client.support.IncomingHeadersProcessor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes the bytes that a server sends so that no message can end the connection. The
 * client parses headers as they arrive, and closes the connection if it cannot parse
 * them. This would repeat without end, because the server redelivers the message.
 *
 * <p>
 * Deliveries of consumers become messages without headers, whose bodies hold the original
 * headers; {@link Packed} reads them. All other messages keep their headers, unless the
 * client cannot read them: then the headers are removed. For one thread.
 */
final class DeliveryPacking {

	private static final Logger logger = LoggerFactory.getLogger(DeliveryPacking.class);

	private static final byte[] NO_HEADERS = "NATS/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

	private static final int LINE_END = MessageLine.LINE_END;

	/**
	 * Additional space for a changed line: longer lengths, and the lengths in front of
	 * the headers.
	 */
	private static final int FURTHER = 64;

	private final Source source;

	/** The longest line that the client accepts. */
	private final int longestLine;

	private final byte[] read = new byte[64 * 1024];

	private int readAt;

	private int readEnd;

	/** A line of a message, as far as it has come. */
	private byte[] line = new byte[1024];

	private int lineLength;

	/** Bytes to return before those that were read. */
	private byte[] ahead = new byte[1024];

	private int aheadAt;

	private int aheadEnd;

	/** The number of following bytes to return unchanged. */
	private long untouched;

	/** Whether a block of headers is being collected for a check. */
	private boolean blockAwaited;

	/** The line before that block, without its lengths. */
	private byte[] head = NO_HEADERS;

	private byte[] block = NO_HEADERS;

	private int blockLength;

	/** The number of bytes after that block. */
	private int bodyLength;

	/** Whether the rest of the current line is returned unchanged. */
	private boolean passingLine;

	/** The last line of a message. */
	private final MessageLine message = new MessageLine();

	DeliveryPacking(Source source, int longestLine) {
		this.source = source;
		this.longestLine = longestLine;
	}

	/**
	 * Reads at least one byte.
	 * @return the number of bytes, or a negative number at the end
	 * @throws IOException if the source fails, or violates the NATS protocol
	 */
	int read(byte[] target, int offset, int length) throws IOException {
		while (true) {
			int done = take(target, offset, length);
			if (done > 0 || length == 0) {
				return done;
			}
			int more = this.source.read(this.read, 0, this.read.length);
			if (more <= 0) {
				return more;
			}
			this.readAt = 0;
			this.readEnd = more;
		}
	}

	/** Whether no bytes are held back. */
	boolean isBetweenLines() {
		return this.readAt == this.readEnd && this.aheadAt == this.aheadEnd && this.lineLength == 0
				&& this.untouched == 0 && !this.blockAwaited && !this.passingLine;
	}

	private int take(byte[] target, int offset, int length) throws IOException {
		int at = offset;
		int end = offset + length;
		while (at < end) {
			if (this.aheadAt < this.aheadEnd) {
				int n = Math.min(end - at, this.aheadEnd - this.aheadAt);
				System.arraycopy(this.ahead, this.aheadAt, target, at, n);
				this.aheadAt += n;
				at += n;
			}
			else if (this.readAt == this.readEnd) {
				break;
			}
			else if (this.untouched > 0) {
				at += passOn(target, at, (int) Math.min(this.untouched, end - at));
			}
			else if (this.blockAwaited) {
				gatherBlock();
			}
			else if (this.passingLine || !isMessage(this.read[this.readAt])) {
				at += passLineOn(target, at, end - at);
			}
			else {
				gatherLine();
			}
		}
		return at - offset;
	}

	private int passOn(byte[] target, int at, int most) {
		int n = Math.min(most, this.readEnd - this.readAt);
		System.arraycopy(this.read, this.readAt, target, at, n);
		this.readAt += n;
		this.untouched -= n;
		return n;
	}

	/**
	 * Whether a line with this first byte may be that of a message. No other kind of line
	 * starts with it.
	 */
	private boolean isMessage(byte first) {
		return this.lineLength > 0 || (first | 0x20) == 'm' || (first | 0x20) == 'h';
	}

	private int passLineOn(byte[] target, int at, int most) {
		int n = 0;
		this.passingLine = true;
		while (this.passingLine && n < most && this.readAt < this.readEnd) {
			byte next = this.read[this.readAt++];
			target[at + n++] = next;
			this.passingLine = next != '\n';
		}
		return n;
	}

	private void gatherLine() throws IOException {
		int from = this.readAt;
		int to = from;
		while (to < this.readEnd && this.read[to] != '\n') {
			to++;
		}
		boolean whole = to < this.readEnd;
		to += whole ? 1 : 0;
		this.readAt = to;
		if (whole && this.lineLength == 0) {
			message(this.read, from, to);
			return;
		}
		int length = this.lineLength + to - from;
		if (length > this.read.length) {
			throw new IOException("The server sends a line of a message of more than " + this.read.length + " bytes.");
		}
		if (length > this.line.length) {
			this.line = Arrays.copyOf(this.line, 2 * length);
		}
		System.arraycopy(this.read, from, this.line, this.lineLength, to - from);
		this.lineLength = length;
		if (whole) {
			this.lineLength = 0;
			message(this.line, 0, length);
		}
	}

	/** Handles a complete line, including its end. */
	private void message(byte[] text, int from, int to) throws IOException {
		this.message.read(text, from, to);
		this.aheadAt = 0;
		this.aheadEnd = 0;
		if (this.ahead.length < to - from + FURTHER) {
			this.ahead = new byte[2 * (to - from) + FURTHER];
		}
		if (this.message.isDelivery()) {
			pack(text);
		}
		else if (this.message.hasHeaders()) {
			awaitBlock(text);
		}
		else {
			append(text, from, to);
			this.untouched = (long) this.message.total() + LINE_END;
		}
	}

	/**
	 * Puts the length of the headers in front of them. If the subject would make the line
	 * too long for the client, the subject is put there too.
	 */
	private void pack(byte[] text) {
		int subject = this.message.subject();
		int behindSubject = this.message.behindSubject();
		int behindReply = this.message.behindReply();
		int total = this.message.total();
		boolean tooLong = behindReply - subject + MessageLine.MOST_DIGITS + 1 > this.longestLine;
		int subjectLength = tooLong ? behindSubject - subject : 0;
		append(MessageLine.MSG, 0, MessageLine.MSG.length);
		if (tooLong) {
			this.ahead[this.aheadEnd++] = Packed.SUBJECT_INSIDE;
			append(text, behindSubject, behindReply);
		}
		else {
			append(text, subject, behindReply);
		}
		appendNumber(total + Packed.lengthInFront(subjectLength));
		appendLineEnd();
		this.aheadEnd += Packed.putFront(this.ahead, this.aheadEnd, this.message.headerLength(), subjectLength);
		append(text, subject, subject + subjectLength);
		this.untouched = (long) total + LINE_END;
	}

	private void awaitBlock(byte[] text) {
		append(MessageLine.HMSG, 0, MessageLine.HMSG.length);
		append(text, this.message.subject(), this.message.lengths());
		this.head = Arrays.copyOf(this.ahead, this.aheadEnd);
		this.aheadEnd = 0;
		this.block = new byte[this.message.headerLength()];
		this.blockLength = 0;
		this.bodyLength = this.message.total() - this.message.headerLength();
		this.blockAwaited = true;
	}

	private void gatherBlock() {
		int n = Math.min(this.block.length - this.blockLength, this.readEnd - this.readAt);
		System.arraycopy(this.read, this.readAt, this.block, this.blockLength, n);
		this.readAt += n;
		this.blockLength += n;
		if (this.blockLength < this.block.length) {
			return;
		}
		byte[] headers = isReadable(this.block) ? this.block : NO_HEADERS;
		this.aheadAt = 0;
		this.aheadEnd = 0;
		if (this.ahead.length < this.head.length + headers.length + FURTHER) {
			this.ahead = new byte[this.head.length + headers.length + FURTHER];
		}
		append(this.head, 0, this.head.length);
		appendNumber(headers.length);
		this.ahead[this.aheadEnd++] = ' ';
		appendNumber(headers.length + this.bodyLength);
		appendLineEnd();
		append(headers, 0, headers.length);
		this.untouched = (long) this.bodyLength + LINE_END;
		this.block = NO_HEADERS;
		this.blockAwaited = false;
	}

	/** Asks the client's parser: if it throws here, it would also end the connection. */
	private static boolean isReadable(byte[] block) {
		try {
			return new IncomingHeadersProcessor(block).getSerializedLength() == block.length;
		}
		catch (RuntimeException ex) {
			logger.debug("The headers of a message that is not a delivery are removed: the client cannot read them.",
					ex);
			return false;
		}
	}

	private void append(byte[] text, int from, int to) {
		System.arraycopy(text, from, this.ahead, this.aheadEnd, to - from);
		this.aheadEnd += to - from;
	}

	private void appendNumber(int number) {
		int digits = 1;
		for (int rest = number; rest >= 10; rest /= 10) {
			digits++;
		}
		int rest = number;
		for (int i = this.aheadEnd + digits - 1; i >= this.aheadEnd; i--) {
			this.ahead[i] = (byte) ('0' + rest % 10);
			rest /= 10;
		}
		this.aheadEnd += digits;
	}

	private void appendLineEnd() {
		this.ahead[this.aheadEnd++] = '\r';
		this.ahead[this.aheadEnd++] = '\n';
	}

	/** The source of the bytes. */
	interface Source {

		/** As an {@link java.io.InputStream} reads. */
		int read(byte[] target, int offset, int length) throws IOException;

	}

}
