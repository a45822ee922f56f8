package dev.eventing.sdk.projector;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The statements that create the tables of a read model.
 *
 * @param location where it was read, for messages
 * @param text the statements
 */
public record TableScript(String location, String text) {

	/** Tells the text from any other: SHA-256, in hexadecimal. */
	public String checksum() {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(this.text.getBytes(StandardCharsets.UTF_8));
			return HexFormat.of().formatHex(digest);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Each Java platform has SHA-256.", ex);
		}
	}

}
