package dev.eventing.sdk.event;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;

/**
 * Name-based UUIDs by SHA-1 (RFC 9562, version 5): the same name always gives the same
 * UUID.
 */
public final class UuidV5 {

	private static final UUID URL_NAMESPACE = UUID.fromString("6ba7b811-9dad-11d1-80b4-00c04fd430c8");

	private static final byte NOT_UTF_8 = (byte) 0xFF;

	private UuidV5() {
	}

	/** The UUID of a name in a namespace. */
	public static UUID of(UUID namespace, String name) {
		MessageDigest sha1 = sha1();
		sha1.update(ByteBuffer.allocate(16)
			.putLong(namespace.getMostSignificantBits())
			.putLong(namespace.getLeastSignificantBits())
			.flip());
		ByteBuffer hash = ByteBuffer.wrap(sha1.digest(bytes(name)));
		long high = (hash.getLong() & 0xFFFF_FFFF_FFFF_0FFFL) | 0x5000L;
		long low = (hash.getLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
		return new UUID(high, low);
	}

	/**
	 * The UUID for an id that a source assigned. The UUID of the source is the namespace.
	 * So a different split of the same characters into source and id gives a different
	 * UUID.
	 */
	public static UUID of(String source, String id) {
		return of(of(URL_NAMESPACE, source), id);
	}

	/**
	 * In UTF-8, which has no form for half a surrogate pair: then by UTF-16 units, behind
	 * a byte that UTF-8 does not have.
	 */
	private static byte[] bytes(String name) {
		if (name.chars().noneMatch((unit) -> Character.isSurrogate((char) unit))
				|| StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
			return name.getBytes(StandardCharsets.UTF_8);
		}
		ByteBuffer units = ByteBuffer.allocate(1 + Character.BYTES * name.length()).put(NOT_UTF_8);
		name.chars().forEach((unit) -> units.putChar((char) unit));
		return units.array();
	}

	private static MessageDigest sha1() {
		try {
			return MessageDigest.getInstance("SHA-1");
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-1", ex);
		}
	}

}
