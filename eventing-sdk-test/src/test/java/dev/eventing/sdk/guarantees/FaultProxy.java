package dev.eventing.sdk.guarantees;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A TCP proxy on loopback whose connections can fail the way a network makes them fail.
 * What is on its way when one fails is lost.
 */
final class FaultProxy implements AutoCloseable {

	private final ServerSocket listener;

	private final int target;

	private final List<Pair> pairs = new CopyOnWriteArrayList<>();

	private final AtomicInteger connections = new AtomicInteger();

	private volatile boolean refusing;

	FaultProxy(int target) {
		this.target = target;
		try {
			this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		start("fault-proxy-listener", this::listen);
	}

	int port() {
		return this.listener.getLocalPort();
	}

	/** How many connections it let through so far. */
	int connections() {
		return this.connections.get();
	}

	/** Both sides see the connections end; new ones are refused. */
	void cut() {
		this.refusing = true;
		this.pairs.forEach(Pair::close);
		this.pairs.clear();
	}

	/** Both sides see connections that stand and say nothing; new ones are refused. */
	void swallow() {
		this.refusing = true;
		this.pairs.forEach((pair) -> pair.swallowing = true);
	}

	/**
	 * The client sees its connections end, the server sees them stand; new ones are
	 * refused.
	 */
	void forgetClients() {
		swallow();
		this.pairs.forEach((pair) -> close(pair.client));
	}

	/**
	 * Lets new connections through. Those from before stay as they are.
	 */
	void restore() {
		this.refusing = false;
	}

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
				// the listener was closed, or the target is away: the client sees its end
			}
		}
	}

	private void accept(Socket client) throws IOException {
		if (this.refusing) {
			client.close();
			return;
		}
		Socket server;
		try {
			server = new Socket(InetAddress.getLoopbackAddress(), this.target);
		}
		catch (IOException ex) {
			client.close();
			throw ex;
		}
		Pair pair = new Pair(client, server);
		this.pairs.add(pair);
		this.connections.incrementAndGet();
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
			// one side is gone
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

	private static void close(Socket socket) {
		try {
			socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
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
			FaultProxy.close(this.client);
			FaultProxy.close(this.server);
		}

	}

}
