package dev.eventing.benchmark.client;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Clients that follow accounts by server-sent events, one connection each. They share a
 * thread, and a buffer outside of the heap.
 */
public final class LiveClients implements AutoCloseable {

	private static final int BUFFER = 256 << 10;

	private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

	private static final long LOOK_NANOS = 2_000_000;

	private final InetSocketAddress server;

	private final String path;

	private final LiveFrames frames;

	private final Selector selector = Selector.open();

	private final List<LiveClient> clients = new ArrayList<>();

	private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();

	private final Thread reader = new Thread(this::read, "live-clients");

	private volatile boolean closed;

	private volatile @Nullable Exception failure;

	/** Opens no connection yet. */
	public LiveClients(InetSocketAddress server, String path, LiveFrames frames) throws IOException {
		this.server = server;
		this.path = path;
		this.frames = frames;
		this.reader.start();
	}

	/**
	 * Connects a client for each of these arrays of accounts, and returns when all of
	 * them have their states.
	 */
	public void connect(List<int[]> accounts) throws Exception {
		for (int[] each : accounts) {
			LiveClient client = new LiveClient(each, this.frames);
			SocketChannel channel = SocketChannel.open(this.server);
			ByteBuffer request = client.request(this.path);
			while (request.hasRemaining()) {
				channel.write(request);
			}
			channel.configureBlocking(false);
			inReader(() -> register(channel, client));
		}
		await(LiveClient::isLive, "have their first states");
	}

	private boolean register(SocketChannel channel, LiveClient client) {
		try {
			channel.register(this.selector, SelectionKey.OP_READ, client);
			return this.clients.add(client);
		}
		catch (ClosedChannelException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Returns when all clients have the states after these changes, by account. */
	public void awaitChanges(long[] expected) throws Exception {
		await((client) -> client.has(expected), "have the last states");
	}

	private void await(Predicate<LiveClient> condition, String what) throws Exception {
		long deadline = System.nanoTime() + PATIENCE_NANOS;
		long missing = inReader(() -> missing(condition));
		while (missing > 0) {
			if (System.nanoTime() - deadline > 0) {
				throw new TimeoutException(missing + " clients do not " + what + ".");
			}
			LockSupport.parkNanos(LOOK_NANOS);
			missing = inReader(() -> missing(condition));
		}
	}

	private long missing(Predicate<LiveClient> condition) {
		return this.clients.stream().filter(condition.negate()).count();
	}

	/** Runs this on the thread of the clients. */
	private <T> T inReader(java.util.concurrent.Callable<T> work) throws Exception {
		FutureTask<T> task = new FutureTask<>(work);
		this.tasks.add(task);
		this.selector.wakeup();
		while (!task.isDone()) {
			Exception failed = this.failure;
			if (failed != null) {
				throw new IllegalStateException("The clients cannot read on.", failed);
			}
			LockSupport.parkNanos(LOOK_NANOS / 10);
		}
		return task.get();
	}

	private void read() {
		ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
		try {
			while (!this.closed) {
				this.selector.select((key) -> read(key, buffer));
				Runnable task = this.tasks.poll();
				while (task != null) {
					task.run();
					task = this.tasks.poll();
				}
			}
		}
		catch (IOException | RuntimeException ex) {
			this.failure = ex;
		}
	}

	private static void read(SelectionKey key, ByteBuffer buffer) {
		try {
			buffer.clear();
			if (((SocketChannel) key.channel()).read(buffer) < 0) {
				throw new IllegalStateException("The server has ended a stream.");
			}
			((LiveClient) key.attachment()).take(buffer.flip());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Disconnects all, and ends their thread. */
	@Override
	public void close() {
		this.closed = true;
		this.selector.wakeup();
		try {
			this.reader.join();
			for (SelectionKey key : List.copyOf(this.selector.keys())) {
				key.channel().close();
			}
			this.selector.close();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
