package dev.eventing.sdk.relay;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.UUID;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A seal in a relay's messages by which the relay recognises them: a keyed hash of
 * position and event. The key is in the relay's row of {@code relays}. So neither a relay
 * of the same name on another database nor a forged header can pretend that an event was
 * published. Not thread-safe.
 */
final class RelaySeal {

	private static final String ALGORITHM = "HmacSHA256";

	private static final int BYTES = 12;

	private final Mac mac;

	RelaySeal(UUID key) {
		try {
			this.mac = Mac.getInstance(ALGORITHM);
			this.mac.init(new SecretKeySpec(key.toString().getBytes(StandardCharsets.US_ASCII), ALGORITHM));
		}
		catch (NoSuchAlgorithmException | InvalidKeyException ex) {
			throw new IllegalStateException(ex); // every Java platform has it
		}
	}

	/** The seal of an event at a position. */
	String of(String position, String eventId) {
		byte[] code = this.mac.doFinal((position + "/" + eventId).getBytes(StandardCharsets.UTF_8));
		return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(code, BYTES));
	}

	boolean fits(String seal, String position, String eventId) {
		return MessageDigest.isEqual(of(position, eventId).getBytes(StandardCharsets.UTF_8),
				seal.getBytes(StandardCharsets.UTF_8));
	}

}
