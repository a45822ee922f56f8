package dev.eventing.sdk.nats;

import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

import io.nats.client.AuthenticationException;
import io.nats.client.Connection;
import io.nats.client.ConnectionListener;
import io.nats.client.ErrorListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the state of connections: once when a connection is lost, and once when it is
 * established again. Attempts in between, and the client's own messages, are logged at
 * DEBUG. The client calls this on one thread.
 */
final class ConnectionEvents implements ErrorListener {

	private static final Logger logger = LoggerFactory.getLogger(ConnectionEvents.class);

	private static final String VIOLATION = "permissions violation";

	/** Then kinds of errors are logged again. */
	private static final int MOST_KINDS = 100;

	private final List<String> servers;

	private final BooleanSupplier closed;

	/** The last established connection. */
	private @Nullable Connection established;

	private boolean lost;

	/** The kinds of errors that were logged since the connection stands. */
	private final Set<String> reported = ConcurrentHashMap.newKeySet();

	private volatile @Nullable String lastProblem;

	private volatile @Nullable String lastViolation;

	private final DeniedAcknowledgements deniedAcknowledgements = new DeniedAcknowledgements();

	private final DeniedPublishes deniedPublishes = new DeniedPublishes();

	/**
	 * Knows of no connection yet.
	 * @param servers the servers of the client, perhaps with credentials
	 * @param closed whether the SDK has closed the client itself
	 */
	ConnectionEvents(List<String> servers, BooleanSupplier closed) {
		this.servers = servers;
		this.closed = closed;
	}

	private String describe() {
		return Servers.describe(this.servers);
	}

	void connectionEvent(Connection source, ConnectionListener.Events event) {
		switch (event) {
			case CONNECTED, RESUBSCRIBED -> {
				logger.info("NATS connection to '{}' is established.", describe());
				stands(source);
			}
			case RECONNECTED -> stands(source);
			case DISCONNECTED -> {
				if (source == this.established && !this.lost) {
					this.lost = true;
					logger.warn("NATS connection to '{}' is lost ({}); reconnecting without limit.", describe(),
							(this.lastProblem != null) ? this.lastProblem : "no cause is known");
				}
			}
			case CLOSED -> {
				if (source == this.established && !this.closed.getAsBoolean()) {
					logger.warn("NATS connection to '{}' was closed; it is replaced at the next use.", describe());
				}
			}
			default -> logger.debug("NATS connection to '{}': {}.", describe(), event);
		}
	}

	private void stands(Connection connection) {
		this.established = connection;
		this.lost = false;
		this.reported.clear();
		this.lastProblem = null;
	}

	/** The last permission that the server denied, with the time; null if none. */
	@Nullable String lastViolation() {
		return this.lastViolation;
	}

	/** The last acknowledgement of a durable that the server denied; null if none. */
	@Nullable DeniedAcknowledgement deniedAcknowledgement(String stream, String durable) {
		return this.deniedAcknowledgements.of(stream, durable);
	}

	DeniedPublishes deniedPublishes() {
		return this.deniedPublishes;
	}

	/** Each acknowledgement has a subject of its own, so its kind is logged once. */
	@Override
	public void errorOccurred(Connection connection, String error) {
		String kind = error;
		if (error.toLowerCase(Locale.ROOT).contains(VIOLATION)) {
			String shown = redacted(error) + " (" + Instant.now().truncatedTo(ChronoUnit.SECONDS) + ")";
			this.lastViolation = shown;
			kind = this.deniedAcknowledgements.record(error, shown);
			this.deniedPublishes.record(error, shown);
		}
		if (this.reported.size() >= MOST_KINDS) {
			this.reported.clear();
		}
		if (this.reported.add(kind)) {
			logger.warn("NATS server reports: {}", redacted(error));
		}
	}

	@Override
	public void exceptionOccurred(Connection connection, Exception exception) {
		Throwable cause = JetStreamErrors.unwrapped(exception);
		this.lastProblem = redacted(cause.getClass().getSimpleName() + ": " + cause.getMessage());
		logger.debug("NATS client reports an exception: {}", this.lastProblem);
	}

	/**
	 * Why a connection could not be opened: an {@link AuthenticationException} if a
	 * server refused the login. The client's exception contains servers with their
	 * credentials, so it is not passed on.
	 */
	IOException cause(IOException byTheClient) {
		String problem = this.lastProblem;
		if (byTheClient instanceof AuthenticationException) {
			return new AuthenticationException(redacted(String.valueOf(byTheClient.getMessage())));
		}
		return new IOException((problem != null) ? problem : redacted(String.valueOf(byTheClient.getMessage())));
	}

	private String redacted(String text) {
		return Servers.redact(text, this.servers);
	}

}
