package dev.eventing.sdk.nats;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

import io.nats.client.AuthenticationException;
import io.nats.client.Connection;
import io.nats.client.JetStream;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.Nats;
import io.nats.client.Options;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The single connection of an application to NATS. It is opened at the first use,
 * reconnects without limit, and is replaced if the server closes it. Thread-safe.
 */
public final class NatsClient implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(NatsClient.class);

	private static final Duration MOMENT = Duration.ofMillis(200);

	private final NatsOptions options;

	private final ReentrantLock opening = new ReentrantLock();

	private final ConnectionEvents events;

	/**
	 * The client's options, with the threads that all its connections share. Created on
	 * demand.
	 */
	private @Nullable Options clientOptions;

	/** Why the last attempt to connect failed; null if it did not fail. */
	private @Nullable IOException failure;

	private long failedAt;

	/** The number of earlier connections, plus their reconnections. */
	private volatile long earlier;

	private volatile @Nullable Connection connection;

	private volatile boolean closed;

	public NatsClient(NatsOptions options) {
		this.options = options;
		this.events = new ConnectionEvents(options.servers(), () -> this.closed);
	}

	/** Whether the connection is established now. Never opens it. */
	public boolean isConnected() {
		Connection current = this.connection;
		return current != null && current.getStatus() == Connection.Status.CONNECTED;
	}

	/** The servers of this client, without credentials. */
	public String describe() {
		return Servers.describe(this.options.servers());
	}

	/**
	 * Ensures that the connection is established now. Opens it if there is none. Does not
	 * wait while it is reconnecting.
	 * @throws NatsUnavailableException if it is not established
	 */
	public void requireConnected() {
		connection();
		if (!isConnected()) {
			throw new NatsDisconnectedException("The connection to NATS at '" + describe() + "' is lost.", null);
		}
	}

	/**
	 * Increases with each connection and reconnection. Requests of an older generation
	 * get no answer. Uses the client's counter, which increases before any data arrives
	 * over the new connection; the client's listener is called later.
	 */
	public long generation() {
		Connection current = this.connection;
		return this.earlier + ((current != null) ? current.getStatistics().getReconnects() : 0);
	}

	/**
	 * The connection, opened or replaced as needed; it may be reconnecting.
	 * @throws NatsUnavailableException if no server answers in time
	 */
	Connection connection() {
		Connection current = this.connection;
		if (current != null && current.getStatus() != Connection.Status.CLOSED) {
			return current;
		}
		this.opening.lock();
		try {
			current = this.connection;
			if (current == null || current.getStatus() == Connection.Status.CLOSED) {
				Connection next = open();
				this.earlier = generation() + 1;
				this.connection = next;
				current = next;
			}
			return current;
		}
		finally {
			this.opening.unlock();
		}
	}

	private Connection open() {
		if (this.closed) {
			throw new NatsUnavailableException("The NATS client is closed.", null);
		}
		IOException last = this.failure;
		if (last != null && System.nanoTime() - this.failedAt < this.options.reconnectWait().toNanos()) {
			throw notAnswering(last); // another thread has just tried
		}
		Options all = clientOptions();
		try {
			Connection opened = Nats.connect(all);
			this.failure = null;
			return opened;
		}
		catch (IOException ex) {
			awaitEvents(all);
			IOException cause = this.events.cause(ex);
			if (last == null) {
				logger.warn("{} It is retried without limit.", notOpened(cause));
			}
			this.failure = cause;
			this.failedAt = System.nanoTime();
			throw notAnswering(cause);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new NatsUnavailableException("Interrupted while connecting to NATS at '" + describe() + "'.", ex);
		}
	}

	private NatsDisconnectedException notAnswering(IOException cause) {
		return new NatsDisconnectedException(notOpened(cause), cause);
	}

	private String notOpened(IOException cause) {
		return (cause instanceof AuthenticationException)
				? "NATS at '" + describe() + "' refuses the login: " + cause.getMessage()
						+ ". Consider the user and password, the token or the credentials file."
				: "No NATS server answers at '" + describe() + "': " + cause.getMessage() + ".";
	}

	/**
	 * The last permission that a server denied to this client, with the time; null if
	 * none. For any thread.
	 */
	public @Nullable String lastViolation() {
		return this.events.lastViolation();
	}

	/**
	 * The last acknowledgement of a durable that a server denied to this client; null if
	 * none. For any thread.
	 */
	public @Nullable DeniedAcknowledgement deniedAcknowledgement(DurableSpec spec) {
		return this.events.deniedAcknowledgement(spec.stream(), spec.name());
	}

	/** The publishes that servers deny to this client. */
	DeniedPublishes deniedPublishes() {
		return this.events.deniedPublishes();
	}

	/** The error that a request gets no answer; a server answers none that it denies. */
	NatsUnavailableException silent() {
		String denied = lastViolation();
		return new NatsUnavailableException("NATS at '" + describe() + "' is connected but does not answer."
				+ ((denied != null) ? " It reported: " + denied + "." : ""), null);
	}

	/** Waits for the client's error events, which arrive on another thread. */
	private static void awaitEvents(Options all) {
		try {
			all.getCallbackExecutor().submit(() -> {
			}).get(MOMENT.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException | TimeoutException | RejectedExecutionException ex) {
			logger.debug("The NATS client has not reported yet why it cannot connect.", ex);
		}
	}

	private Options clientOptions() {
		Options known = this.clientOptions;
		if (known == null) {
			known = ClientOptions.of(this.options, this.events);
			// otherwise each attempt to connect would create and end its own threads
			known.incrementExecutorUse();
			this.clientOptions = known;
		}
		return known;
	}

	/** How long to wait for an answer of JetStream. */
	Duration requestTimeout() {
		return this.options.connectionTimeout();
	}

	/**
	 * Sends without waiting, over the existing connection. Never opens one.
	 * @throws IllegalStateException if the connection is closed
	 */
	void send(String subject, byte[] body) {
		Connection current = this.connection;
		if (current != null) {
			current.publish(subject, body);
		}
	}

	/** The connection, if there is one; it may be reconnecting. Never opens one. */
	@Nullable Connection present() {
		return this.connection;
	}

	/** The subject of a request to JetStream, such as {@code STREAM.INFO.ORDERS}. */
	String apiSubject(String request) {
		return this.options.jetStreamPrefix() + "." + request;
	}

	/** The domain of JetStream if it is chosen, otherwise null. */
	@Nullable String jetStreamDomain() {
		return this.options.jetStreamDomain();
	}

	/** What all that the client does with JetStream has in common. */
	JetStreamOptions jetStreamOptions() {
		JetStreamOptions.Builder builder = JetStreamOptions.builder().requestTimeout(this.options.connectionTimeout());
		String prefix = this.options.jetStreamPrefix();
		if (!prefix.equals(NatsOptions.DEFAULT_JETSTREAM_PREFIX)) {
			builder.prefix(prefix);
		}
		return builder.build();
	}

	/**
	 * JetStream for publishing.
	 * @throws NatsUnavailableException if no server answers in time
	 */
	JetStream jetStream() {
		try {
			return connection().jetStream(jetStreamOptions());
		}
		catch (IOException ex) {
			throw new NatsUnavailableException("NATS at '" + describe() + "' is not connected.", ex);
		}
	}

	/**
	 * JetStream for streams and consumers.
	 * @throws NatsUnavailableException if no server answers in time
	 */
	JetStreamManagement management() {
		try {
			return connection().jetStreamManagement(jetStreamOptions());
		}
		catch (IOException ex) {
			throw new NatsUnavailableException("NATS at '" + describe() + "' is not connected.", ex);
		}
	}

	/**
	 * Closes the client. Flushes published messages first. Waits for a connection that is
	 * being opened, and closes it too.
	 */
	@Override
	public void close() {
		this.closed = true;
		closePresent();
		this.opening.lock();
		try {
			closePresent();
			endThreads();
		}
		finally {
			this.opening.unlock();
		}
	}

	private void closePresent() {
		Connection current = this.connection;
		if (current != null && current.getStatus() != Connection.Status.CLOSED) {
			close(current);
		}
	}

	private void close(Connection current) {
		try {
			if (isConnected()) {
				current.flush(this.options.connectionTimeout());
			}
		}
		catch (TimeoutException ex) {
			logger.debug("NATS did not confirm the last messages before closing.", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		try {
			current.close();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void endThreads() {
		try {
			Options all = this.clientOptions;
			if (all != null) {
				this.clientOptions = null;
				all.shutdownExecutors();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
