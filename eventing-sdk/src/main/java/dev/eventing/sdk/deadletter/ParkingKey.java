package dev.eventing.sdk.deadletter;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What later events wait behind a dead letter by: tenant and key, as one text that an
 * index can hold.
 */
public final class ParkingKey {

	/** The longest text that is kept as it is, in characters. */
	public static final int MAX_LENGTH = 512;

	private ParkingKey() {
	}

	/**
	 * The parking key of a tenant's key; the same for the same key always, and no
	 * other's.
	 * @param key tenant and key in one text
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
