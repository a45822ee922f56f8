package dev.eventing.sdk.projector.effect;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;

import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.event.TenantId;

/**
 * The ids of effects: name-based UUIDs of version 5. All generations of a projector give
 * an effect the same id, in each attempt. Stored events have these ids, so the derivation
 * never changes.
 */
public final class EffectIds {

	/** The namespace of all effects. */
	private static final UUID NAMESPACE = UUID.fromString("6f0a3f6e-8d53-5c0e-9a5b-2d4f0c1b7e91");

	private EffectIds() {
	}

	/**
	 * Derives the id of an effect.
	 * @param projector any generation of the projector
	 * @param tenant the tenant of the event
	 * @param event the id of the event
	 * @param n the number of the effect in the handling of the event, from 1 on
	 */
	public static UUID derive(ProjectorId projector, TenantId tenant, UUID event, int n) {
		byte[] base = projector.base().getBytes(StandardCharsets.UTF_8);
		byte[] owner = tenant.value().getBytes(StandardCharsets.UTF_8);
		// The lengths keep two names from reading like two others.
		ByteBuffer name = ByteBuffer.allocate(16 + 4 + base.length + 4 + owner.length + 16 + 4);
		put(name, NAMESPACE).putInt(base.length).put(base).putInt(owner.length).put(owner);
		put(name, event).putInt(n);
		ByteBuffer hash = ByteBuffer.wrap(sha1(name.array()));
		long high = (hash.getLong() & 0xffffffffffff0fffL) | 0x5000L;
		long low = (hash.getLong() & 0x3fffffffffffffffL) | 0x8000000000000000L;
		return new UUID(high, low);
	}

	private static ByteBuffer put(ByteBuffer name, UUID id) {
		return name.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
	}

	private static byte[] sha1(byte[] name) {
		try {
			return MessageDigest.getInstance("SHA-1").digest(name);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-1.", ex);
		}
	}

}
