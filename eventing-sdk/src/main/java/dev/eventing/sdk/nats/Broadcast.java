package dev.eventing.sdk.nats;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A message of core NATS: sent to who subscribes at that moment, and kept nowhere.
 *
 * @param subject its subject
 * @param headers its headers, one value each
 * @param body its bytes, which are not copied
 */
public record Broadcast(String subject, Map<String, String> headers, Body body) {

	public Broadcast {
		headers = Map.copyOf(headers);
	}

	/** The value of a header, or null. */
	public @Nullable String header(String name) {
		return this.headers.get(name);
	}

	/** Bytes. Not copied: do not change them. */
	public static final class Body {

		/** No bytes. */
		public static final Body EMPTY = new Body(new byte[0]);

		private final byte[] bytes;

		public Body(byte[] bytes) {
			this.bytes = bytes;
		}

		public byte[] bytes() {
			return this.bytes;
		}

		public int length() {
			return this.bytes.length;
		}

	}

}
