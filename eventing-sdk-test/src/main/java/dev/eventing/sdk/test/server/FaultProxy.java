package dev.eventing.sdk.test.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Stands between a client and a server on loopback so that a test can cut their
 * connections while both stay up. Safe to use from any thread.
 */
public final class FaultProxy implements AutoCloseable {

	private final ServerSocket listener;

	private final int target;

	private final Set<Socket> open = new HashSet<>();

	private boolean cut;

	private FaultProxy(ServerSocket listener, int target) {
		this.listener = listener;
		this.target = target;
	}

	/**
	 * Starts a proxy.
	 * @param port the server's port on loopback
	 */
	public static FaultProxy to(int port) {
		try {
			ServerSocket listener = new ServerSocket();
			listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), LoopbackPorts.free()));
			FaultProxy proxy = new FaultProxy(listener, port);
			daemon(proxy::accept, "fault-proxy-accept");
			return proxy;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** The port on loopback that clients connect to. */
	public int port() {
		return this.listener.getLocalPort();
	}

	/** Resets every connection, and each new one until {@link #restore()}. */
	public void cut() {
		List<Socket> victims;
		synchronized (this.open) {
			this.cut = true;
			victims = new ArrayList<>(this.open);
			this.open.clear();
		}
		victims.forEach(FaultProxy::reset);
	}

	/** Lets new connections through again. */
	public void restore() {
		synchronized (this.open) {
			this.cut = false;
		}
	}

	/** Cuts every connection and refuses new ones for good. */
	@Override
	public void close() {
		try {
			this.listener.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		finally {
			cut();
		}
	}

	private void accept() {
		while (!this.listener.isClosed()) {
			try {
				forward(this.listener.accept());
			}
			catch (IOException ex) {
				// Closed, which the loop sees; or a client that was gone too soon.
			}
		}
	}

	private void forward(Socket client) {
		Socket server = new Socket();
		try {
			if (!admit(client, server)) {
				return;
			}
			server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), this.target), 5_000);
			daemon(() -> pump(client, server), "fault-proxy-out");
			daemon(() -> pump(server, client), "fault-proxy-in");
		}
		catch (IOException ex) {
			// The server is down: the client is to see just that.
			end(client, server);
		}
	}

	private boolean admit(Socket client, Socket server) {
		synchronized (this.open) {
			if (!this.cut) {
				this.open.add(client);
				this.open.add(server);
				return true;
			}
		}
		end(client, server);
		return false;
	}

	private void pump(Socket from, Socket to) {
		try {
			from.getInputStream().transferTo(to.getOutputStream());
		}
		catch (IOException ex) {
			// One end is gone; the other one learns it now.
		}
		finally {
			end(from, to);
		}
	}

	private void end(Socket one, Socket other) {
		synchronized (this.open) {
			this.open.remove(one);
			this.open.remove(other);
		}
		reset(one);
		reset(other);
	}

	private static void reset(Socket socket) {
		try (socket) {
			if (!socket.isClosed()) {
				// No farewell: a reset, as from a machine that is gone.
				socket.setSoLinger(true, 0);
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void daemon(Runnable work, String name) {
		Thread thread = new Thread(work, name);
		thread.setDaemon(true);
		thread.start();
	}

}
