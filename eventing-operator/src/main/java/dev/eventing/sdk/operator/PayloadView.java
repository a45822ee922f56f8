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
 * @param encoding the encoding of {@code content}: {@value #TEXT} for text,
 * {@value #BINARY} for other payloads; null if the payload may not be shown
 * @param content the payload, or null if it may not be shown
 */
public record PayloadView(int bytes, @Nullable String encoding, @Nullable String content) {

	/** The {@code encoding} of a payload whose {@code content} is its text. */
	public static final String TEXT = "UTF-8";

	/** The {@code encoding} of a payload whose {@code content} is in base64. */
	public static final String BINARY = "BASE64";

	static PayloadView hidden(byte[] payload) {
		return new PayloadView(payload.length, null, null);
	}

	static PayloadView shown(byte[] payload) {
		try {
			String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(payload)).toString();
			return new PayloadView(payload.length, TEXT, text);
		}
		catch (CharacterCodingException ex) {
			return new PayloadView(payload.length, BINARY, Base64.getEncoder().encodeToString(payload));
		}
	}

}
