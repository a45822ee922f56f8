package dev.eventing.sdk.nats;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import dev.eventing.sdk.event.EventHeaders;
import dev.eventing.sdk.event.RawEvent;
import io.nats.client.Connection;
import io.nats.client.Message;

/**
 * Reads deliveries of consumers as they come over a connection: packed by
 * {@link DeliveryPacking} where that stands in the connection's way, else with headers
 * that the client has read. For one thread.
 *
 * <p>
 * Packed, the body begins with the length of the headers in four bytes, the highest bit
 * saying that the length of the subject follows in two, and the subject; behind it come
 * the headers, and the body itself.
 */
final class Packed {

	/** Stands for a subject that is in the body. */
	static final byte SUBJECT_INSIDE = '-';

	private static final int FLAG = 0x80000000;

	private final boolean packed;

	private final HeaderReader headers = new HeaderReader();

	Packed(Connection connection) {
		this.packed = DeliveryPort.isUsedBy(connection);
	}

	/** Never throws for what the headers hold. */
	RawEvent read(Message delivery) {
		byte[] body = delivery.getData();
		if (!this.packed) {
			return new RawEvent(delivery.getSubject(), WireHeaders.read(delivery.getHeaders()), body);
		}
		ByteBuffer front = ByteBuffer.wrap(body);
		int first = front.getInt();
		String subject = delivery.getSubject();
		if (first < 0) {
			int length = Short.toUnsignedInt(front.getShort());
			subject = new String(body, front.position(), length, StandardCharsets.ISO_8859_1);
			front.position(front.position() + length);
		}
		int begin = front.position();
		int end = begin + (first & ~FLAG);
		EventHeaders read = this.headers.read(body, begin, end);
		return new RawEvent(subject, read, Arrays.copyOfRange(body, end, body.length));
	}

	/** How many bytes it has, all told, as the server counts them. */
	int size(Message delivery) {
		int size = (int) delivery.consumeByteCount();
		if (!this.packed) {
			return size;
		}
		byte[] body = delivery.getData();
		return size - ((body[0] < 0) ? lengthInFront(1) : lengthInFront(0));
	}

	/** How many bytes are put in front of the headers. */
	static int lengthInFront(int subjectLength) {
		return Integer.BYTES + ((subjectLength > 0) ? Short.BYTES + subjectLength : 0);
	}

	/**
	 * Puts down lengths; the subject itself, if there is one, is put behind by the
	 * caller.
	 * @return how many bytes were put
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
