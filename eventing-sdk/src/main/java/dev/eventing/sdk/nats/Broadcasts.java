package dev.eventing.sdk.nats;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.nats.client.Connection;
import io.nats.client.Dispatcher;
import io.nats.client.Message;
import io.nats.client.Subscription;
import io.nats.client.api.ServerInfo;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes and receives messages of core NATS, which may be lost. Thread-safe.
 */
public final class Broadcasts {

	private static final Logger logger = LoggerFactory.getLogger(Broadcasts.class);

	/** The limit of servers that do not tell theirs, or are not connected. */
	private static final long MAX_PAYLOAD = 1 << 20;

	/** What does not fit is lost, as messages of core NATS may be. */
	private static final int PENDING_MESSAGES = 200_000;

	private static final long PENDING_BYTES = 64L << 20;

	/** However many receivers there are, as many threads receive. */
	static final int THREADS = 4;

	private final NatsClient client;

	private final int pendingMessages;

	private final AtomicInteger receivers = new AtomicInteger();

	/** Those of {@link #dispatching}, by the number of their thread. */
	private final Map<Integer, Dispatcher> dispatchers = new HashMap<>();

	private @Nullable Connection dispatching;

	/** The last connection on which messages were dropped. */
	private @Nullable Connection dropping;

	/** Opens no connection. */
	public Broadcasts(NatsClient client) {
		this(client, PENDING_MESSAGES);
	}

	/**
	 * With another limit.
	 * @param pendingMessages the most messages that wait for one thread
	 */
	Broadcasts(NatsClient client, int pendingMessages) {
		this.client = client;
		this.pendingMessages = pendingMessages;
	}

	/**
	 * Opens the connection if there is none.
	 * @return whether it is established now
	 */
	public boolean connect() {
		try {
			this.client.requireConnected();
			return true;
		}
		catch (NatsUnavailableException ex) {
			return false;
		}
	}

	/** As {@link NatsClient#generation}: messages may be lost when it changes. */
	public long generation() {
		return this.client.generation();
	}

	/** The most bytes that headers and body of a message may have together. */
	public long maxPayload() {
		Connection connection = this.client.present();
		ServerInfo server = (connection != null) ? connection.getServerInfo() : null;
		long told = (server != null) ? server.getMaxPayload() : 0;
		return (told > 0) ? told : MAX_PAYLOAD;
	}

	/**
	 * Publishes over the existing connection, and does not wait. Never opens one.
	 * @return false if the message is not sent: the connection is not established, or the
	 * client refuses the message
	 */
	public boolean publish(Broadcast message) {
		Connection connection = this.client.present();
		if (connection == null || connection.getStatus() != Connection.Status.CONNECTED) {
			return false;
		}
		try {
			Headers headers = new Headers();
			message.headers().forEach(headers::add);
			connection.publish(NatsMessage.builder()
				.subject(message.subject())
				.headers(headers)
				.data(message.body().bytes())
				.build());
			return true;
		}
		catch (IllegalStateException | IllegalArgumentException ex) {
			logger.debug("A message to '{}' is not sent.", message.subject(), ex);
			return false;
		}
	}

	/**
	 * Receives messages of these subjects, from the next {@link Receiver#ensure} on.
	 * @param consumer called on one thread of the client, which some other receivers
	 * have, too; returns quickly, and does not throw
	 */
	public Receiver receive(List<String> subjects, Consumer<Broadcast> consumer) {
		int thread = Math.floorMod(this.receivers.getAndIncrement(), THREADS);
		return new Receiver(List.copyOf(subjects), consumer, thread);
	}

	private synchronized Dispatcher dispatcher(Connection present, int thread) {
		if (present != this.dispatching) {
			this.dispatchers.clear(); // they ended with their connection
			this.dispatching = present;
		}
		return this.dispatchers.computeIfAbsent(thread, (number) -> {
			Dispatcher created = present.createDispatcher();
			created.setPendingLimits(this.pendingMessages, PENDING_BYTES);
			return created;
		});
	}

	/** Once for each connection. */
	private synchronized void warn(Connection present) {
		if (present != this.dropping) {
			this.dropping = present;
			logger
				.warn("Messages of core NATS come faster than this node takes them, and are dropped. Subscribers of live"
						+ " views read their states instead. Consider more nodes, or fewer views and keys that each of them"
						+ " follows. This is logged once per connection.");
		}
	}

	private static Broadcast read(Message message) {
		Map<String, String> headers = new HashMap<>();
		Headers all = message.getHeaders();
		if (all != null) {
			all.forEach((name, values) -> headers.put(name, values.get(values.size() - 1)));
		}
		byte[] data = message.getData();
		return new Broadcast(message.getSubject(), headers,
				(data != null) ? new Broadcast.Body(data) : Broadcast.Body.EMPTY);
	}

	/** Receives messages, over each connection that the client makes. Thread-safe. */
	public final class Receiver implements AutoCloseable {

		private final List<String> subjects;

		private final Consumer<Broadcast> consumer;

		private @Nullable Connection connection;

		private @Nullable Dispatcher dispatcher;

		private final int thread;

		private final List<Subscription> subscriptions = new ArrayList<>();

		private boolean closed;

		private Receiver(List<String> subjects, Consumer<Broadcast> consumer, int thread) {
			this.subjects = subjects;
			this.consumer = consumer;
			this.thread = thread;
		}

		/**
		 * Subscribes if the present connection does not have the subscriptions. Opens the
		 * connection if there is none. Call it from time to time.
		 * @return whether messages arrive from now on
		 */
		public synchronized boolean ensure() {
			if (this.closed || !connect()) {
				return false;
			}
			Connection present = Broadcasts.this.client.present();
			if (present == null) {
				return false;
			}
			if (present != this.connection) {
				Dispatcher next = dispatcher(present, this.thread);
				this.subscriptions.clear();
				subscribe(next);
				this.connection = present;
				this.dispatcher = next;
			}
			return true;
		}

		/**
		 * How many messages were dropped on the present connection, because they came
		 * faster than they were taken: of this receiver, or of others that share its
		 * thread.
		 */
		public synchronized long dropped() {
			Connection present = this.connection;
			Dispatcher taking = this.dispatcher;
			long dropped = (taking != null) ? taking.getDroppedCount() : 0;
			if (dropped > 0 && present != null) {
				warn(present);
			}
			return dropped;
		}

		/** All subjects or none: a later call would subscribe the first ones twice. */
		private void subscribe(Dispatcher next) {
			try {
				this.subjects.forEach((subject) -> this.subscriptions
					.add(next.subscribe(subject, (message) -> this.consumer.accept(read(message)))));
			}
			catch (RuntimeException ex) {
				this.subscriptions.forEach(next::unsubscribe);
				this.subscriptions.clear();
				throw ex;
			}
		}

		@Override
		public synchronized void close() {
			this.closed = true;
			Connection old = this.connection;
			Dispatcher present = this.dispatcher;
			this.connection = null;
			this.dispatcher = null;
			// its thread goes on for others
			if (old != null && present != null && old.getStatus() != Connection.Status.CLOSED) {
				this.subscriptions.forEach(present::unsubscribe);
			}
		}

	}

}
