package dev.eventing.sdk.test.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A proxy between a client and a server on loopback. With it a test can simulate network
 * failures while client and server keep running. Data in transit is lost when a
 * connection fails. Thread-safe.
 */
public final class FaultProxy implements AutoCloseable {

	private final ServerSocket listener;

	private final int target;

	private final List<Pair> pairs = new CopyOnWriteArrayList<>();

	private final AtomicInteger connections = new AtomicInteger();

	private volatile boolean refusing;

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
			start("fault-proxy-listener", proxy::listen);
			return proxy;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** The port on loopback to which clients connect. */
	public int port() {
		return this.listener.getLocalPort();
	}

	/** The number of connections forwarded so far. */
	public int connections() {
		return this.connections.get();
	}

	/**
	 * Resets every connection for both sides, and each new one until {@link #restore()}.
	 */
	public void cut() {
		this.refusing = true;
		this.pairs.forEach(Pair::close);
		this.pairs.clear();
	}

	/**
	 * Established connections go on. New connections are refused until
	 * {@link #restore()}.
	 */
	public void refuse() {
		this.refusing = true;
	}

	/**
	 * Both sides see established connections without data. New connections are refused.
	 */
	public void swallow() {
		this.refusing = true;
		this.pairs.forEach((pair) -> pair.swallowing = true);
	}

	/**
	 * The client sees its connections end; the server still sees them as established. New
	 * connections are refused.
	 */
	public void forgetClients() {
		swallow();
		this.pairs.forEach((pair) -> reset(pair.client));
	}

	/** Forwards new connections again. Existing connections do not change. */
	public void restore() {
		this.refusing = false;
	}

	/** Cuts every connection, and refuses new ones permanently. */
	@Override
	public void close() {
		cut();
		try {
			this.listener.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void listen() {
		while (!this.listener.isClosed()) {
			try {
				accept(this.listener.accept());
			}
			catch (IOException ex) {
				// the listener was closed, or the target is unreachable: the client's
				// connection ends
			}
		}
	}

	private void accept(Socket client) throws IOException {
		if (this.refusing) {
			reset(client);
			return;
		}
		Socket server;
		try {
			server = new Socket(InetAddress.getLoopbackAddress(), this.target);
		}
		catch (IOException ex) {
			reset(client); // the server is down, and the client must see that
			throw ex;
		}
		Pair pair = new Pair(client, server);
		this.pairs.add(pair);
		this.connections.incrementAndGet();
		if (this.refusing) { // a concurrent cut did not include this pair
			pair.close();
		}
		start("fault-proxy-up", () -> pump(client, server, pair));
		start("fault-proxy-down", () -> pump(server, client, pair));
	}

	private void pump(Socket from, Socket to, Pair pair) {
		byte[] buffer = new byte[8192];
		try {
			InputStream in = from.getInputStream();
			OutputStream out = to.getOutputStream();
			for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
				if (!pair.swallowing) {
					out.write(buffer, 0, length);
				}
			}
		}
		catch (IOException ex) {
			// one side is closed
		}
		if (!pair.swallowing) {
			pair.close();
			this.pairs.remove(pair);
		}
	}

	private static void start(String name, Runnable task) {
		Thread thread = new Thread(task, name);
		thread.setDaemon(true);
		thread.start();
	}

	/** Resets the connection without a regular close, as if the machine had crashed. */
	private static void reset(Socket socket) {
		try (socket) {
			socket.setSoLinger(true, 0);
		}
		catch (IOException ex) {
			// it is closed already
		}
	}

	/** The two halves of one connection. */
	private static final class Pair {

		private final Socket client;

		private final Socket server;

		private volatile boolean swallowing;

		Pair(Socket client, Socket server) {
			this.client = client;
			this.server = server;
		}

		void close() {
			FaultProxy.reset(this.client);
			FaultProxy.reset(this.server);
		}

	}

}
