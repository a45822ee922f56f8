package dev.eventing.sdk.test.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for servers that are stopped and restarted. They lie below the range of ephemeral
 * ports. Otherwise, while the server is down, a client that keeps reconnecting could get
 * the server's port as its own local port, and occupy it.
 */
final class LoopbackPorts {

	private static final int LOWEST = 15_000;

	private static final int HIGHEST = 32_000;

	private LoopbackPorts() {
	}

	/**
	 * A port that is free now. Another process may still take it first. In that case
	 * request another port.
	 */
	static int free() {
		for (int attempt = 0; attempt < 1_000; attempt++) {
			int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
			if (isFree(port)) {
				return port;
			}
		}
		throw new ServerFailedException("No free port between " + LOWEST + " and " + HIGHEST + " on loopback");
	}

	private static boolean isFree(int port) {
		try (ServerSocket socket = new ServerSocket()) {
			socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

}
