package dev.eventing.sdk.nats;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import dev.eventing.sdk.event.EventHeaders;
import dev.eventing.sdk.event.RawEvent;
import io.nats.client.Message;

/**
 * Reads deliveries of consumers. If the connection uses {@link DeliveryPacking}, they are
 * packed; otherwise the client has read their headers. For one thread.
 *
 * <p>
 * A packed body starts with four bytes for the length of the headers. If their highest
 * bit is set, two bytes for the length of the subject and the subject follow. Then come
 * the headers and the original body.
 */
final class Packed {

	/** Replaces a subject that is in the body. */
	static final byte SUBJECT_INSIDE = '-';

	private static final int FLAG = 0x80000000;

	private final boolean packed;

	/** Whether the client reads subjects as UTF-8. */
	private final boolean decoded;

	private final HeaderReader headers = new HeaderReader();

	/**
	 * Reads deliveries of one connection.
	 * @param packed whether they are packed
	 * @param decoded whether the client reads subjects as UTF-8
	 */
	Packed(boolean packed, boolean decoded) {
		this.packed = packed;
		this.decoded = decoded;
	}

	/** Never throws because of the headers' content. */
	RawEvent read(Message delivery) {
		byte[] body = delivery.getData();
		if (!this.packed) {
			return new RawEvent(subject(delivery), WireHeaders.read(delivery.getHeaders()), body);
		}
		ByteBuffer front = ByteBuffer.wrap(body);
		int first = front.getInt();
		String subject;
		if (first >= 0) {
			subject = subject(delivery);
		}
		else {
			int length = Short.toUnsignedInt(front.getShort());
			subject = subject(new String(body, front.position(), length, StandardCharsets.ISO_8859_1));
			front.position(front.position() + length);
		}
		int begin = front.position();
		int end = begin + (first & ~FLAG);
		EventHeaders read = this.headers.read(body, begin, end);
		return new RawEvent(subject, read, Arrays.copyOfRange(body, end, body.length));
	}

	private String subject(Message delivery) {
		return this.decoded ? delivery.getSubject() : subject(delivery.getSubject());
	}

	/**
	 * The subject in UTF-8, as filters and other publishers have it, of one whose bytes
	 * were read as characters. One that is not UTF-8 is read as ISO 8859-1.
	 */
	static String subject(String bytes) {
		if (isAscii(bytes)) {
			return bytes;
		}
		byte[] read = new byte[bytes.length()];
		for (int i = 0; i < read.length; i++) {
			read[i] = (byte) bytes.charAt(i); // jnats casts each byte, so 0xC3 is 0xFFC3
		}
		try {
			return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(read)).toString();
		}
		catch (CharacterCodingException ex) {
			return new String(read, StandardCharsets.ISO_8859_1);
		}
	}

	private static boolean isAscii(String text) {
		for (int i = 0; i < text.length(); i++) { // that of each event comes by
			if (text.charAt(i) > 0x7F) {
				return false;
			}
		}
		return true;
	}

	/** The total size in bytes, as the server counts it. */
	int size(Message delivery) {
		int size = (int) delivery.consumeByteCount();
		if (!this.packed) {
			return size;
		}
		byte[] body = delivery.getData();
		return size - ((body[0] < 0) ? lengthInFront(1) : lengthInFront(0));
	}

	/** The number of bytes in front of the headers. */
	static int lengthInFront(int subjectLength) {
		return Integer.BYTES + ((subjectLength > 0) ? Short.BYTES + subjectLength : 0);
	}

	/**
	 * Writes the lengths. The caller writes the subject after them, if there is one.
	 * @return the number of written bytes
	 */
	static int putFront(byte[] target, int offset, int headerLength, int subjectLength) {
		ByteBuffer front = ByteBuffer.wrap(target, offset, Integer.BYTES + Short.BYTES);
		if (subjectLength > 0) {
			front.putInt(headerLength | FLAG).putShort((short) subjectLength);
		}
		else {
			front.putInt(headerLength);
		}
		return front.position() - offset;
	}

}
