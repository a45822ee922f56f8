package dev.eventing.sdk.idempotency;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * What two events with one id are told apart by: a few bytes in place of their contents.
 */
public final class ContentDigest {

	private ContentDigest() {
	}

	/**
	 * The CRC-32C of type and payload, byte for byte: what differs in spaces differs.
	 */
	public static int of(String type, byte[] payload) {
		CRC32C crc = new CRC32C();
		crc.update(type.getBytes(StandardCharsets.UTF_8));
		crc.update(payload, 0, payload.length);
		return (int) crc.getValue();
	}

}
