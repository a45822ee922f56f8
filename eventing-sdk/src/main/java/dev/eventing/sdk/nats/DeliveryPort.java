package dev.eventing.sdk.nats;

import java.io.IOException;

import io.nats.client.Connection;
import io.nats.client.Options;
import io.nats.client.impl.SocketDataPortWithWriteTimeout;

/**
 * The client's way to the network, with {@link DeliveryPacking} in it: over a socket, in
 * clear or with TLS, or over a web socket. Public because the client makes one for each
 * try to connect; of no use to others.
 */
public final class DeliveryPort extends SocketDataPortWithWriteTimeout {

	private DeliveryPacking packing = new DeliveryPacking(super::read, Options.DEFAULT_MAX_CONTROL_LINE);

	/** Whether what comes over this connection is packed; its options say so for good. */
	static boolean isUsedBy(Connection connection) {
		return connection.getOptions().getDataPortType().equals(DeliveryPort.class.getName());
	}

	/** Whether the client finds this class by its name, which is all it can be given. */
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
	 * Goes on encrypted. What came in clear must have been taken by then: else it could
	 * pass for a part of what comes encrypted.
	 */
	@Override
	public void upgradeToSecure() throws IOException {
		if (!this.packing.isBetweenLines()) {
			throw new IOException("The server, or somebody in its place, sent more in clear than it has to.");
		}
		super.upgradeToSecure();
	}

	@Override
	public int read(byte[] target, int offset, int length) throws IOException {
		return this.packing.read(target, offset, length);
	}

}
