package dev.eventing.sdk.operator;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

import org.jspecify.annotations.Nullable;

/**
 * A payload.
 *
 * @param bytes the length in bytes
 * @param encoding the encoding of {@code content}: {@code UTF-8} for text, {@code BASE64}
 * for other payloads; null if the payload may not be shown
 * @param content the payload, or null if it may not be shown
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
