package dev.eventing.sdk.nats;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

import io.nats.client.Connection;
import io.nats.client.Message;
import io.nats.client.Subscription;
import io.nats.client.impl.Headers;
import io.nats.client.support.Status;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pulls deliveries from one durable consumer, never more than the caller has room for. At
 * most one request is open at a time. Requests expire after seconds and have heartbeats.
 * So a server that restarted, moved or lost the request is noticed within about a second;
 * the client itself would need minutes. For one thread.
 *
 * <p>
 * The protocol is that of JetStream's {@code CONSUMER.MSG.NEXT}: deliveries and status
 * messages (100 heartbeat, 404 and 408 no more messages, 409 ended, 503 no responders)
 * arrive on the subject of the request.
 */
public final class DurablePull implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(DurablePull.class);

	/** A request is open no longer than this, even if its client has disappeared. */
	public static final Duration EXPIRES = Duration.ofSeconds(2);

	/** No limit of bytes. */
	public static final long ANY_BYTES = Long.MAX_VALUE;

	private static final Duration HEARTBEAT = Duration.ofMillis(500);

	private static final Duration SILENCE = HEARTBEAT.multipliedBy(3);

	private static final String PENDING_MESSAGES = "Nats-Pending-Messages";

	private final NatsClient client;

	private final String nextSubject;

	private final String stream;

	private final String durable;

	private @Nullable Connection connection;

	private @Nullable Subscription subscription;

	/** Reads the deliveries of the current connection. */
	private @Nullable Packed packed;

	private String inbox = "";

	private final long generation;

	private final BooleanSupplier owned;

	/** The number of deliveries that the open request may still return. */
	private int remaining;

	/** The number of bytes that these may have. */
	private long remainingBytes;

	private long tooFewBytes;

	private long lastHeard;

	private final LeftOutBodies leftOut;

	/** Whether a delivery came without its body. */
	private boolean bodiless;

	private boolean answered;

	/**
	 * Pulls from a durable consumer.
	 * @param owned whether the caller still owns the durable; if not, no delivery is
	 * rejected (nak), because that would affect the new owner
	 */
	public DurablePull(NatsClient client, DurableSpec spec, BooleanSupplier owned) {
		this(client, spec.stream(), spec.name(), owned);
	}

	DurablePull(NatsClient client, String stream, String consumer, BooleanSupplier owned) {
		this.owned = owned;
		this.client = client;
		this.stream = stream;
		this.durable = consumer;
		this.generation = client.generation();
		this.leftOut = new LeftOutBodies(client);
		this.nextSubject = client.apiSubject("CONSUMER.MSG.NEXT." + stream + "." + consumer);
	}

	/**
	 * Whether the connection was lost since this pull started. Then its request is lost,
	 * and deliveries may have been lost on the way. Also if the durable delivers headers
	 * only: it must be reconciled before anything can be read from it.
	 */
	public boolean isStale() {
		return this.bodiless || this.generation != this.client.generation();
	}

	/**
	 * Whether a request is open. Then {@link #next} may return a delivery even without
	 * further room.
	 */
	public boolean isRequestOpen() {
		return this.remaining > 0;
	}

	/** Whether the server has answered a request of this pull, if only by a heartbeat. */
	public boolean isAnswered() {
		return this.answered;
	}

	/**
	 * The number of bytes that the last request had left, if they were too few for the
	 * next delivery; otherwise 0.
	 */
	public long tooFewBytes() {
		return this.tooFewBytes;
	}

	/** The next delivery, without a limit of bytes. */
	public @Nullable Delivery next(int room, Duration wait) throws InterruptedException {
		return next(room, ANY_BYTES, wait);
	}

	/**
	 * The next delivery.
	 * @param room the number of deliveries that the caller can hold; if no request is
	 * open, a request for this number is sent, but none for zero
	 * @param bytes the total number of bytes that these deliveries may have
	 * @param wait how long to wait
	 * @return the delivery, or null if none came in time
	 * @throws DurableGoneException if the durable consumer was deleted or does not answer
	 * @throws JetStreamConfigurationException if the server rejects the request for a
	 * reason that an operator must correct
	 * @throws NatsUnavailableException if no server answers
	 * @throws InterruptedException if the thread is interrupted
	 */
	public @Nullable Delivery next(int room, long bytes, Duration wait) throws InterruptedException {
		Subscription current = subscribed();
		if (this.remaining == 0 && room > 0) {
			request(room, bytes);
		}
		long deadline = System.nanoTime() + wait.toNanos();
		long left = wait.toNanos();
		while (left > 0) {
			Message message = arriving(current, Duration.ofNanos(left));
			if (message == null) {
				checkThatRequestIsAnswered();
				return null;
			}
			this.lastHeard = System.nanoTime();
			this.answered = true;
			if (isStale()) {
				nak(message); // earlier deliveries may have been lost
				return null;
			}
			if (!message.isStatusMessage()) {
				Delivery delivery = arrived(delivery(message));
				return isWhole(delivery) ? delivery : null;
			}
			if (ended(message.getStatus(), message.getHeaders())) {
				return null;
			}
			left = deadline - System.nanoTime();
		}
		return null;
	}

	/** Returns whether the delivery has its body. Rejects it (nak) if not. */
	private boolean isWhole(Delivery delivery) {
		if (!this.leftOut.concerns(delivery)) {
			return true;
		}
		logger.warn("Durable '{}' on stream '{}' delivers headers only. Nothing of it is settled until it delivers"
				+ " bodies again. Consider leaving its headers_only unset.", this.durable, this.stream);
		this.bodiless = true;
		if (this.owned.getAsBoolean()) {
			delivery.nak();
		}
		return false;
	}

	/**
	 * Counts a delivery. The server ends a request without a message when its last byte
	 * or its last delivery is used up.
	 */
	private Delivery arrived(Delivery delivery) {
		this.remaining = Math.max(0, this.remaining - 1);
		if (this.remainingBytes != ANY_BYTES) {
			this.remainingBytes -= delivery.size();
			this.remaining = (this.remainingBytes > 0) ? this.remaining : 0;
		}
		return delivery;
	}

	private static @Nullable Message arriving(Subscription subscription, Duration wait) throws InterruptedException {
		try {
			return Subscriptions.next(subscription, wait);
		}
		catch (IllegalStateException ex) {
			throw new NatsUnavailableException("The NATS connection was closed.", ex);
		}
	}

	private Subscription subscribed() {
		Connection open = this.client.connection();
		Subscription current = this.subscription;
		if (current == null || this.connection != open || !current.isActive()) {
			this.inbox = open.createInbox();
			current = subscribe(open, this.inbox);
			current.setPendingLimits(-1, -1); // requests bound what may wait; a limit
												// would drop deliveries
			this.connection = open;
			this.packed = DeliveryPort.reader(open);
			this.subscription = current;
			this.remaining = 0;
		}
		return current;
	}

	private static Subscription subscribe(Connection open, String inbox) {
		try {
			return open.subscribe(inbox);
		}
		catch (IllegalStateException ex) {
			throw new NatsUnavailableException("The NATS connection was closed, or takes nothing now.", ex);
		}
	}

	private void request(int room, long bytes) {
		String body = "{\"batch\":" + room + ((bytes != ANY_BYTES) ? ",\"max_bytes\":" + bytes : "") + ",\"expires\":"
				+ EXPIRES.toNanos() + ",\"idle_heartbeat\":" + HEARTBEAT.toNanos() + "}";
		try {
			this.client.connection().publish(this.nextSubject, this.inbox, body.getBytes(StandardCharsets.UTF_8));
		}
		catch (IllegalStateException ex) {
			throw new NatsUnavailableException("The NATS connection was closed, or takes nothing now.", ex);
		}
		this.remaining = room;
		this.remainingBytes = bytes;
		this.tooFewBytes = 0;
		this.lastHeard = System.nanoTime();
	}

	private void checkThatRequestIsAnswered() {
		if (this.remaining > 0 && System.nanoTime() - this.lastHeard > SILENCE.toNanos()) {
			this.remaining = 0;
			throw this.client.silent();
		}
	}

	/** Whether the request has ended. A heartbeat shows that it has not. */
	private boolean ended(Status status, @Nullable Headers headers) {
		if (status.isHeartbeat() || status.isFlowControl()) {
			return false;
		}
		if (!RequestEnd.isOrdinary(status)) {
			this.remaining = 0;
			throw RequestEnd.failure(status, this.durable, this.stream);
		}
		if (RequestEnd.isTooLarge(status)) {
			this.tooFewBytes = this.remainingBytes;
		}
		String pending = (headers != null) ? headers.getFirst(PENDING_MESSAGES) : null;
		// the end of an older, abandoned request may come late; it ends only the part of
		// that request
		this.remaining = (pending != null) ? Math.max(0, this.remaining - Integer.parseInt(pending)) : 0;
		return this.remaining == 0;
	}

	private void nak(Message message) {
		if (!message.isStatusMessage() && this.owned.getAsBoolean()) {
			delivery(message).nak();
		}
	}

	private Delivery delivery(Message message) {
		DeliveryMetadata handOver = DeliveryMetadata.of(message.getReplyTo());
		Packed reading = Objects.requireNonNull(this.packed);
		return new Delivery(reading.read(message), reading.size(message), this.stream, handOver, this.client,
				message.getReplyTo());
	}

	/**
	 * Stops pulling. Deliveries that the server has sent meanwhile are rejected (nak), so
	 * that they are redelivered without an ack wait. If the connection is lost, they are
	 * redelivered after their ack wait.
	 */
	@Override
	public void close() {
		Subscription current = this.subscription;
		this.subscription = null;
		this.remaining = 0;
		if (current == null || !current.isActive()) {
			return;
		}
		try {
			if (this.client.isConnected() && this.owned.getAsBoolean()) {
				nakTheRest(current);
			}
			else {
				current.unsubscribe();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (IllegalStateException ex) {
			logger.debug("Pulling ended with its subscription.", ex);
		}
	}

	/**
	 * Rejects the remaining deliveries (nak). The server sends no more once it has
	 * answered the drain's flush. Ends when the subscription is empty and becomes
	 * inactive.
	 */
	private void nakTheRest(Subscription draining) throws InterruptedException {
		CompletableFuture<Boolean> drained = draining.drain(SILENCE);
		while (!drained.isDone()) {
			Message message = Subscriptions.next(draining, HEARTBEAT);
			if (message != null) {
				nak(message);
			}
		}
	}

}
