package dev.eventing.sdk.nats;

import java.nio.charset.StandardCharsets;

import dev.eventing.sdk.event.EventHeaders;
import io.nats.client.impl.Headers;

/**
 * The headers of an outgoing message, already encoded for the wire. The client's own
 * class uses two maps, and copies them for each publish, which costs more than the rest
 * of a publish. This class implements only the methods that the client calls when it
 * sends headers; it does not support lookups. Immutable.
 */
final class EncodedHeaders extends Headers {

	private static final byte[] VERSION = "NATS/1.0\r\n".getBytes(StandardCharsets.US_ASCII);

	private static final int END = 2;

	/** Colon, carriage return, line feed. */
	private static final int PER_LINE = 3;

	private final byte[] encoded;

	private EncodedHeaders(byte[] encoded) {
		super(null, true);
		this.encoded = encoded;
	}

	/**
	 * Encodes the headers in their order.
	 * @throws IllegalArgumentException if a name or value has a character that a header
	 * cannot hold
	 */
	static EncodedHeaders of(EventHeaders headers) {
		int[] length = { VERSION.length + END };
		headers.forEach((name, value) -> length[0] += name.length() + value.length() + PER_LINE);
		Encoding encoding = new Encoding(new byte[length[0]]);
		headers.forEach(encoding::line);
		return new EncodedHeaders(encoding.end());
	}

	@Override
	public boolean isEmpty() {
		return this.encoded.length == VERSION.length + END;
	}

	@Override
	public int serializedLength() {
		return this.encoded.length;
	}

	@Override
	public byte[] getSerialized() {
		return this.encoded.clone();
	}

	@Override
	public int serializeToArray(int position, byte[] target) {
		System.arraycopy(this.encoded, 0, target, position, this.encoded.length);
		return this.encoded.length;
	}

	/** A buffer for the encoded bytes. */
	private static final class Encoding {

		private final byte[] bytes;

		private int length = VERSION.length;

		Encoding(byte[] bytes) {
			this.bytes = bytes;
			System.arraycopy(VERSION, 0, bytes, 0, VERSION.length);
		}

		void line(String name, String value) {
			text(name);
			this.bytes[this.length++] = ':';
			text(value);
			lineEnd();
		}

		private void text(String text) {
			byte[] target = this.bytes;
			int end = this.length;
			for (int i = 0; i < text.length(); i++) {
				char c = text.charAt(i);
				if (c > 127 || c == '\r' || c == '\n') {
					throw new IllegalArgumentException(
							"A header holds the character U+%04X, which is not allowed there.".formatted((int) c));
				}
				target[end++] = (byte) c;
			}
			this.length = end;
		}

		private void lineEnd() {
			this.bytes[this.length++] = '\r';
			this.bytes[this.length++] = '\n';
		}

		byte[] end() {
			lineEnd();
			return this.bytes;
		}

	}

}
