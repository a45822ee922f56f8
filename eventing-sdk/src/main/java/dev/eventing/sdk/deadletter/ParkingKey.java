package dev.eventing.sdk.deadletter;

import java.nio.charset.StandardCharsets;
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
	 * parking keys, and different keys have different ones.
	 * @param key tenant and ordering key in one text
	 */
	public static String of(String key) {
		boolean storable = key.length() <= MAX_LENGTH && key.indexOf('\u0000') < 0;
		return storable ? key : "sha-256/" + sha256(key);
	}

	private static String sha256(String key) {
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-256");
			return HexFormat.of().formatHex(digest.digest(key.getBytes(StandardCharsets.UTF_8)));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

}
