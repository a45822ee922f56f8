package dev.eventing.sdk.nats;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import io.nats.client.ErrorListener;
import io.nats.client.JetStream;
import io.nats.client.JetStreamManagement;
import io.nats.client.JetStreamOptions;
import io.nats.client.Nats;
import io.nats.client.Options;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one connection of an application to NATS. It is opened when first asked for,
 * reconnects without end, and is replaced should it ever be closed by the other side.
 * Thread-safe.
 */
public final class NatsClient implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(NatsClient.class);

	/**
	 * A connection that stands and says nothing is given up after two unanswered pings;
	 * the client's own interval is minutes.
	 */
	private static final Duration PING_EVERY = Duration.ofSeconds(1);

	private final NatsOptions options;

	private final ReentrantLock opening = new ReentrantLock();

	/** The connections there were before the present one, and their reconnections. */
	private volatile long earlier;

	private volatile @Nullable Connection connection;

	private volatile boolean closed;

	public NatsClient(NatsOptions options) {
		this.options = options;
	}

	/** Whether the connection stands at this moment; never opens it. */
	public boolean isConnected() {
		Connection current = this.connection;
		return current != null && current.getStatus() == Connection.Status.CONNECTED;
	}

	/** Where this client connects to, without credentials. */
	public String describe() {
		return String.join(", ", this.options.servers()).replaceAll("//[^@/]*@", "//");
	}

	/**
	 * Makes sure that the connection stands at this moment; opens it when there is none,
	 * does not wait when it is reconnecting.
	 * @throws NatsUnavailableException if it does not stand
	 */
	public void requireConnected() {
		connection();
		if (!isConnected()) {
			throw new NatsUnavailableException("The connection to NATS at '" + describe() + "' is lost.", null);
		}
	}

	/**
	 * Grows with each connection and reconnection: requests of an older one get no
	 * answer. By the client's own count, which has grown before anything arrives over the
	 * new connection; its listener is told some time later.
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
		try {
			return Nats.connect(clientOptions());
		}
		catch (IOException ex) {
			throw new NatsUnavailableException("No NATS server answers at '" + describe() + "'.", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new NatsUnavailableException("Interrupted while connecting to NATS at '" + describe() + "'.", ex);
		}
	}

	private Options clientOptions() {
		Options.Builder builder = new Options.Builder().servers(this.options.servers().toArray(String[]::new))
			.connectionName(this.options.connectionName())
			.connectionTimeout(this.options.connectionTimeout())
			.reconnectWait(this.options.reconnectWait())
			.pingInterval(PING_EVERY)
			// Subjects of events are checked where they are made, once; the client would
			// check that of every acknowledgement too.
			.subjectValidationType(Options.SubjectValidationType.None)
			.errorListener(new QuietErrorListener());
		this.options.customizer().accept(builder);
		return builder.maxReconnects(-1).connectionListener(this::connectionEvent).build();
	}

	private void connectionEvent(Connection source, ConnectionListener.Events event) {
		switch (event) {
			case CONNECTED, RESUBSCRIBED -> logger.info("NATS connection to '{}': {}.", describe(), event);
			case DISCONNECTED -> logger.warn("NATS connection to '{}' is lost; reconnecting without end.", describe());
			case CLOSED -> {
				if (!this.closed) {
					logger.warn("NATS connection to '{}' was closed; it is replaced when next needed.", describe());
				}
			}
			default -> logger.debug("NATS connection to '{}': {}.", describe(), event);
		}
	}

	/**
	 * Sends without waiting, over the connection there is: never opens one.
	 * @throws IllegalStateException if it was closed
	 */
	void send(String subject, byte[] body) {
		Connection current = this.connection;
		if (current != null) {
			current.publish(subject, body);
		}
	}

	/**
	 * JetStream for publishing.
	 * @throws NatsUnavailableException if no server answers in time
	 */
	JetStream jetStream() {
		try {
			return connection().jetStream();
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
			return connection().jetStreamManagement(
					JetStreamOptions.builder().requestTimeout(this.options.connectionTimeout()).build());
		}
		catch (IOException ex) {
			throw new NatsUnavailableException("NATS at '" + describe() + "' is not connected.", ex);
		}
	}

	/**
	 * Closes the connection for good; what was published but not flushed is flushed
	 * first.
	 */
	@Override
	public void close() {
		this.closed = true;
		Connection current = this.connection;
		if (current == null) {
			return;
		}
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

	/**
	 * Says at DEBUG what the client would print: what matters is reported where it is
	 * handled.
	 */
	private static final class QuietErrorListener implements ErrorListener {

		@Override
		public void errorOccurred(Connection connection, String error) {
			logger.warn("NATS server reports: {}", error);
		}

		@Override
		public void exceptionOccurred(Connection connection, Exception exception) {
			logger.debug("NATS client reports an exception.", exception);
		}

	}

}
