package dev.eventing.sdk.event;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * The percent-encoding of CloudEvents header values: everything outside U+0021 to U+007E,
 * the double quote and the percent sign, as UTF-8.
 */
public final class PercentCoding {

	private static final String HEX = "0123456789ABCDEF";

	private PercentCoding() {
	}

	/** The text, encoded so that a header value can hold it. */
	public static String encode(String text) {
		if (isPlain(text)) {
			return text;
		}
		StringBuilder encoded = new StringBuilder(text.length() + 16);
		for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
			if (isPlain(b)) {
				encoded.append((char) b);
			}
			else {
				append(encoded, b);
			}
		}
		return encoded.toString();
	}

	private static boolean isPlain(String text) {
		for (int i = 0; i < text.length(); i++) { // each header of each event comes by
			if (!isPlain(text.charAt(i))) {
				return false;
			}
		}
		return true;
	}

	private static boolean isPlain(int c) {
		return c > ' ' && c <= '~' && c != '"' && c != '%';
	}

	/** The text of bytes of which only those beyond ASCII are encoded. */
	public static String encodeBeyondAscii(byte[] bytes, int from, int to) {
		StringBuilder text = new StringBuilder(to - from + 16);
		for (int i = from; i < to; i++) {
			if (bytes[i] >= 0) {
				text.append((char) bytes[i]);
			}
			else {
				append(text, bytes[i]);
			}
		}
		return text.toString();
	}

	private static void append(StringBuilder encoded, byte b) {
		encoded.append('%').append(HEX.charAt((b >> 4) & 0xF)).append(HEX.charAt(b & 0xF));
	}

	/**
	 * Decodes a text. Also decodes characters that need no encoding, and keeps characters
	 * that lack their encoding.
	 * @return null if two hexadecimal digits do not follow a percent sign, or if the
	 * bytes are not UTF-8
	 */
	public static @Nullable String decode(String encoded) {
		if (encoded.indexOf('%') < 0) {
			return encoded;
		}
		StringBuilder text = new StringBuilder(encoded.length());
		int position = 0;
		while (position < encoded.length()) {
			if (encoded.charAt(position) != '%') {
				text.append(encoded.charAt(position++));
				continue;
			}
			ByteArrayOutputStream bytes = new ByteArrayOutputStream();
			position = decodeRun(encoded, position, bytes);
			if (position < 0 || !appendUtf8(bytes, text)) {
				return null;
			}
		}
		return text.toString();
	}

	/**
	 * Decodes the triplets from this position on. Returns the position after them, or -1.
	 */
	private static int decodeRun(String encoded, int start, ByteArrayOutputStream bytes) {
		int position = start;
		while (position < encoded.length() && encoded.charAt(position) == '%') {
			if (position + 2 >= encoded.length()) {
				return -1;
			}
			int high = hexDigit(encoded.charAt(position + 1));
			int low = hexDigit(encoded.charAt(position + 2));
			if (high < 0 || low < 0) {
				return -1;
			}
			bytes.write((high << 4) | low);
			position += 3;
		}
		return position;
	}

	private static int hexDigit(char c) {
		// Character.digit alone would accept digits of other scripts.
		return (c < 128) ? Character.digit(c, 16) : -1;
	}

	private static boolean appendUtf8(ByteArrayOutputStream bytes, StringBuilder text) {
		try {
			// A new decoder reports malformed input instead of replacing it.
			text.append(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.toByteArray())));
			return true;
		}
		catch (CharacterCodingException ex) {
			return false;
		}
	}

}
