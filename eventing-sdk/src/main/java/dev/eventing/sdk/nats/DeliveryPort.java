package dev.eventing.sdk.nats;

import java.io.IOException;

import io.nats.client.Connection;
import io.nats.client.Options;
import io.nats.client.impl.SocketDataPortWithWriteTimeout;

/**
 * The client's data port with {@link DeliveryPacking}: over a socket, with or without
 * TLS, or over a web socket. Public only because the client creates one for each attempt
 * to connect.
 */
public final class DeliveryPort extends SocketDataPortWithWriteTimeout {

	private DeliveryPacking packing = new DeliveryPacking(super::read, Options.DEFAULT_MAX_CONTROL_LINE);

	/** Reads deliveries over this connection, as its options say. */
	static Packed reader(Connection connection) {
		Options options = connection.getOptions();
		return new Packed(options.getDataPortType().equals(DeliveryPort.class.getName()),
				options.supportUTF8Subjects());
	}

	/**
	 * Whether the client can load this class by its name. The client accepts no instance.
	 */
	static boolean canBeMade() {
		try {
			return Class.forName(DeliveryPort.class.getName(), false,
					Options.class.getClassLoader()) == DeliveryPort.class;
		}
		catch (ClassNotFoundException | LinkageError ex) {
			return false;
		}
	}

	@Override
	public void afterConstruct(Options options) {
		super.afterConstruct(options);
		this.packing = new DeliveryPacking(super::read, options.getMaxControlLine());
	}

	/**
	 * Continues with TLS. All unencrypted bytes must have been read before: otherwise
	 * they could pass for part of the encrypted stream.
	 */
	@Override
	public void upgradeToSecure() throws IOException {
		if (!this.packing.isBetweenLines()) {
			throw new IOException(
					"The server, or an attacker in its place, sent unencrypted bytes where TLS must start.");
		}
		super.upgradeToSecure();
	}

	@Override
	public int read(byte[] target, int offset, int length) throws IOException {
		return this.packing.read(target, offset, length);
	}

}
