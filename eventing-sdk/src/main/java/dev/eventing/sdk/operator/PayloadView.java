package dev.eventing.sdk.operator;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

import org.jspecify.annotations.Nullable;

/**
 * A payload.
 *
 * @param bytes how long it is
 * @param encoding what {@code content} is: the payload itself as {@code UTF-8}, or
 * {@code BASE64} of a payload that is no text; null where it may not be seen
 * @param content the payload, or null where it may not be seen
 */
public record PayloadView(int bytes, @Nullable String encoding, @Nullable String content) {

	static PayloadView hidden(byte[] payload) {
		return new PayloadView(payload.length, null, null);
	}

	static PayloadView shown(byte[] payload) {
		try {
			String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(payload)).toString();
			return new PayloadView(payload.length, "UTF-8", text);
		}
		catch (CharacterCodingException ex) {
			return new PayloadView(payload.length, "BASE64", Base64.getEncoder().encodeToString(payload));
		}
	}

}
