package dev.eventing.sdk.idempotency;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * A digest of an event's content. It shows whether two events with the same id differ.
 */
public final class ContentDigest {

	private ContentDigest() {
	}

	/**
	 * The CRC-32C of type and payload. It is computed over the bytes, so a different
	 * space gives a different digest.
	 */
	public static int of(String type, byte[] payload) {
		CRC32C crc = new CRC32C();
		crc.update(type.getBytes(StandardCharsets.UTF_8));
		crc.update(payload, 0, payload.length);
		return (int) crc.getValue();
	}

}
