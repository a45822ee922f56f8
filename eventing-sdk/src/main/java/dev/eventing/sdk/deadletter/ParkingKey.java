package dev.eventing.sdk.deadletter;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The tenant and ordering key by which later events are parked after a dead letter, as
 * one text that fits into an index.
 */
public final class ParkingKey {

	/** The longest text that is not replaced by its digest, in characters. */
	public static final int MAX_LENGTH = 512;

	private ParkingKey() {
	}

	/**
	 * Returns the parking key of a tenant's ordering key. Equal keys always have equal
	 * parking keys, and different keys have different ones. It is ASCII, which each
	 * database can store.
	 * @param key tenant and ordering key in one text
	 */
	public static String of(String key) {
		boolean storable = key.length() <= MAX_LENGTH && key.chars().allMatch((c) -> c > 0 && c < 0x80);
		return storable ? key : "sha-256/" + sha256(key);
	}

	private static String sha256(String key) {
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-256");
			// every char: an encoding would take all halves of surrogate pairs for one
			ByteBuffer chars = ByteBuffer.allocate(key.length() * Character.BYTES);
			chars.asCharBuffer().put(key);
			digest.update(chars);
			return HexFormat.of().formatHex(digest.digest());
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

}
