package dev.eventing.sdk.liveview.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import dev.eventing.sdk.liveview.LiveVersion;
import dev.eventing.sdk.liveview.LiveViewWebOptions;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An open stream of one client. It has no thread: one of the writers writes when a key
 * has changed, the server when the client can take more. All writing is under one lock,
 * and does not block. It keeps how far the client is with each key, and nothing else, so
 * a client that does not read costs no more than others; later it gets the latest state.
 */
final class LiveConnection implements WriteListener, AsyncListener {

	private static final Logger logger = LoggerFactory.getLogger(LiveConnection.class);

	/** About how much is handed to the server at once. */
	private static final int CHUNK = 16 << 10;

	/** After that time a client that reads nothing is gone. */
	private static final Duration LONGEST_STALL = Duration.ofSeconds(60);

	/**
	 * When clients connect again: spread, so that not all clients of a node come at once.
	 */
	private static final int RETRY_FROM_MS = 1_500;

	private static final int RETRY_TO_MS = 4_500;

	private final @Nullable String principal;

	private final List<FollowedSlot> slots;

	private final LiveWriters writers;

	private final Consumer<LiveConnection> ended;

	private final long keepAlive;

	private final long endsAt;

	private final Queue<FollowedSlot> behind = new ConcurrentLinkedQueue<>();

	/** Whether it waits for a writer. */
	private final AtomicBoolean waiting = new AtomicBoolean();

	private final Object lock = new Object();

	private final Runnable writing = this::write;

	private @Nullable AsyncContext context;

	private @Nullable ServletOutputStream out;

	/** Null as long as the client takes what it gets. */
	private @Nullable Long stalledAt;

	private long wroteAt = System.nanoTime();

	private boolean first = true;

	private boolean begun;

	private boolean written;

	private boolean closed;

	LiveConnection(@Nullable String principal, List<@Nullable LiveVersion> positions, LiveWriters writers,
			LiveViewWebOptions options, Consumer<LiveConnection> ended) {
		this.principal = principal;
		this.writers = writers;
		this.ended = ended;
		this.slots = positions.stream().map((position) -> new FollowedSlot(position, this::behind)).toList();
		this.keepAlive = options.keepAlive().toNanos();
		long age = options.maxAge().toNanos();
		// Spread, so that clients that came together do not come back together.
		this.endsAt = System.nanoTime() + age - ThreadLocalRandom.current().nextLong(age / 5 + 1);
	}

	/** The user, or null without a login. */
	@Nullable String principal() {
		return this.principal;
	}

	/** Follows the keys, one for each position; returns whether there is room for all. */
	boolean follow(FollowedKeys keys, List<KeyName> names) {
		for (int i = 0; i < names.size(); i++) {
			FollowedSlot slot = this.slots.get(i);
			FollowedKey key = keys.follow(names.get(i), slot);
			if (key == null) {
				return false;
			}
			slot.has(key);
		}
		return true;
	}

	void leave(FollowedKeys keys) {
		for (FollowedSlot slot : this.slots) {
			FollowedKey key = slot.key();
			if (key != null) {
				keys.leave(key, slot);
			}
		}
	}

	/**
	 * Lets the request outlive its thread. The status and headers are set already.
	 * @throws IllegalStateException if a filter or servlet does not support that
	 */
	void begin(HttpServletRequest request, HttpServletResponse response) throws IOException {
		AsyncContext begun = request.startAsync(request, response);
		begun.setTimeout(0);
		begun.addListener(this);
		ServletOutputStream stream = response.getOutputStream();
		synchronized (this.lock) {
			if (this.closed) { // a stop came first
				begun.complete();
				return;
			}
			this.context = begun;
			this.out = stream;
		}
		this.slots.forEach(FollowedSlot::changed);
		stream.setWriteListener(this);
	}

	/** Called on the thread that changes a key: does not block. */
	private void behind(FollowedSlot slot) {
		this.behind.add(slot);
		await();
	}

	private void await() {
		if (this.waiting.compareAndSet(false, true)) {
			this.writers.run(this.writing);
		}
	}

	/** The server can take the first bytes, or more of them. */
	@Override
	public void onWritePossible() {
		synchronized (this.lock) {
			this.begun = true;
			this.stalledAt = null;
		}
		write();
	}

	/** Writes what the client lacks, as much as it takes now. */
	void write() {
		this.waiting.set(false);
		try {
			synchronized (this.lock) {
				if (this.begun && !this.closed) {
					writeReady();
				}
			}
		}
		catch (IOException | RuntimeException ex) {
			logger.debug("A stream ends, because its client is gone.", ex);
			close();
		}
	}

	private void writeReady() throws IOException {
		ServletOutputStream stream = this.out;
		while (stream != null) {
			if (!stream.isReady()) {
				if (this.stalledAt == null) {
					this.stalledAt = System.nanoTime();
				}
				return;
			}
			this.stalledAt = null;
			if (this.written) {
				this.written = false;
				stream.flush();
			}
			else {
				byte[] chunk = chunk();
				if (chunk.length == 0) {
					return;
				}
				stream.write(chunk);
				this.wroteAt = System.nanoTime();
				this.written = true;
			}
		}
	}

	private byte[] chunk() {
		ByteArrayOutputStream chunk = new ByteArrayOutputStream(512);
		if (this.first) {
			this.first = false;
			int retry = ThreadLocalRandom.current().nextInt(RETRY_FROM_MS, RETRY_TO_MS);
			add(chunk, "retry: " + retry + "\n\n");
		}
		for (FollowedSlot slot = this.behind.poll(); slot != null; slot = this.behind.poll()) {
			slot.taken();
			for (StreamFrame frame = slot.next(); frame != null; frame = slot.next()) {
				add(chunk, "id: " + id() + "\n");
				chunk.writeBytes(frame.bytes());
				if (chunk.size() >= CHUNK) {
					slot.changed(); // it may have more
					return chunk.toByteArray();
				}
			}
		}
		if (chunk.size() == 0 && System.nanoTime() - this.wroteAt >= this.keepAlive) {
			// With the id, from which a client sees that it has all.
			add(chunk, ": keep-alive\nid: " + id() + "\n\n");
		}
		return chunk.toByteArray();
	}

	private String id() {
		StringBuilder id = new StringBuilder();
		this.slots.forEach((slot) -> Positions.append(id, slot.position()));
		return id.toString();
	}

	private static void add(ByteArrayOutputStream chunk, String text) {
		chunk.writeBytes(text.getBytes(StandardCharsets.UTF_8));
	}

	/** Called from time to time: sends a sign of life, and ends what is too old. */
	void tick(long now) {
		boolean over;
		boolean silent;
		synchronized (this.lock) {
			boolean stalled = this.stalledAt != null && now - this.stalledAt > LONGEST_STALL.toNanos();
			boolean lost = this.context == null && now - this.wroteAt > LONGEST_STALL.toNanos();
			over = stalled || lost || now - this.endsAt > 0;
			silent = this.stalledAt == null && now - this.wroteAt >= this.keepAlive;
		}
		if (over) {
			close();
		}
		else if (silent) {
			await();
		}
	}

	/** Ends it. Does not wait for the client. */
	void close() {
		synchronized (this.lock) {
			if (this.closed) {
				return;
			}
			this.closed = true;
			this.out = null;
			try {
				if (this.context != null) {
					this.context.complete();
				}
			}
			catch (IllegalStateException ex) {
				logger.debug("A stream was ended already.", ex);
			}
		}
		this.ended.accept(this);
	}

	@Override
	public void onError(Throwable failure) {
		logger.debug("A stream ends, because its client is gone.", failure);
		close();
	}

	@Override
	public void onError(AsyncEvent event) {
		close();
	}

	@Override
	public void onTimeout(AsyncEvent event) {
		close();
	}

	@Override
	public void onComplete(AsyncEvent event) {
		close();
	}

	@Override
	public void onStartAsync(AsyncEvent event) {
		// The request starts no further processing.
	}

}
