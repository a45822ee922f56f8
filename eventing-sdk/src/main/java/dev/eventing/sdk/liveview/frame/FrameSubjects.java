package dev.eventing.sdk.liveview.frame;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

import dev.eventing.sdk.event.TenantId;

/**
 * The subjects of core NATS on which live views push. A key is one token: its bytes in
 * UTF-8, with a percent sign and two hexadecimal digits for what is no letter, digit,
 * {@code _} or {@code -}. If that has more than {@value #LONGEST} characters, the token
 * is {@code =} and the SHA-256 of the key in hexadecimal digits.
 */
public final class FrameSubjects {

	/** The longest token of an encoded key. */
	static final int LONGEST = 1024;

	private static final String ROOT = "projection.";

	private static final String OWNERS = "projection-owner.";

	private static final char[] HEX = "0123456789ABCDEF".toCharArray();

	private FrameSubjects() {
	}

	/** The subject of the frames of a key. */
	public static String of(TenantId tenant, String view, String key) {
		return ROOT + tenant + '.' + view + '.' + token(key);
	}

	/** A filter for the frames of all keys of a view, of all tenants. */
	public static String ofAll(String view) {
		return ROOT + "*." + view + ".*";
	}

	/** The subject on which the owner of a view lets subscribers hear that it lives. */
	public static String owner(String view) {
		return OWNERS + view;
	}

	/** Whether this is the subject of an owner, and not of frames. */
	public static boolean isOwner(String subject) {
		return subject.startsWith(OWNERS);
	}

	/** The key as a token. */
	static String token(String key) {
		byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
		StringBuilder token = new StringBuilder(bytes.length + 16);
		for (byte b : bytes) {
			if (isPlain(b)) {
				token.append((char) b);
			}
			else {
				token.append('%').append(HEX[(b >> 4) & 0xF]).append(HEX[b & 0xF]);
			}
		}
		return (token.length() <= LONGEST) ? token.toString() : hash(bytes);
	}

	private static boolean isPlain(byte b) {
		return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9') || b == '_' || b == '-';
	}

	private static String hash(byte[] key) {
		try {
			return '=' + HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(key));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every JDK has SHA-256.", ex);
		}
	}

}
