package dev.eventing.sdk.nats;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
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
 * Pulls deliveries from one durable, never more than the caller has room for. At most one
 * request is open at a time. Requests expire after seconds and carry heartbeats, so that
 * a server that restarted, moved or forgot them is noticed within a second rather than
 * after the client's own minutes. For one thread.
 *
 * <p>
 * The protocol is that of JetStream's {@code CONSUMER.MSG.NEXT}: deliveries and status
 * messages (100 heartbeat, 404 and 408 nothing more, 409 ended, 503 nobody there) arrive
 * on the subject of the request.
 */
public final class DurablePull implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(DurablePull.class);

	/** A request is open no longer than this, also one of a client that is gone. */
	public static final Duration EXPIRES = Duration.ofSeconds(2);

	/** Any number of bytes. */
	public static final long ANY_BYTES = Long.MAX_VALUE;

	private static final Duration HEARTBEAT = Duration.ofMillis(500);

	private static final Duration SILENCE = HEARTBEAT.multipliedBy(3);

	private static final String MESSAGE_TOO_LARGE = "Message Size Exceeds MaxBytes";

	/** A request ended for what passes by itself. */
	private static final List<String> ORDINARY_CONFLICTS = List.of(MESSAGE_TOO_LARGE, Status.BATCH_COMPLETED,
			Status.SERVER_SHUTDOWN, Status.LEADERSHIP_CHANGE, "Exceeded MaxAckPending");

	private static final int SERVER_ERRORS = 500;

	private static final String PENDING_MESSAGES = "Nats-Pending-Messages";

	private final NatsClient client;

	private final String nextSubject;

	private final String stream;

	private final String durable;

	private @Nullable Connection connection;

	private @Nullable Subscription subscription;

	/** Of the connection. */
	private @Nullable Packed packed;

	private String inbox = "";

	private final long generation;

	private final BooleanSupplier owned;

	/** How many deliveries the open request may still bring. */
	private int remaining;

	/** How many bytes these may have. */
	private long remainingBytes;

	private long tooFewBytes;

	private long lastHeard;

	/**
	 * Pulls from a durable.
	 * @param owned whether the durable is still the caller's: if not, nothing is given
	 * back, because another owner would feel it
	 */
	public DurablePull(NatsClient client, DurableSpec spec, BooleanSupplier owned) {
		this.owned = owned;
		this.client = client;
		this.stream = spec.stream();
		this.durable = spec.name();
		this.generation = client.generation();
		this.nextSubject = "$JS.API.CONSUMER.MSG.NEXT." + spec.stream() + "." + spec.name();
	}

	/**
	 * Whether the connection was lost since this pull began: its request is forgotten,
	 * and deliveries may have been lost under way.
	 */
	public boolean isStale() {
		return this.generation != this.client.generation();
	}

	/**
	 * Whether a request is open: then {@link #next} needs no further room to be useful.
	 */
	public boolean isRequestOpen() {
		return this.remaining > 0;
	}

	/**
	 * How many bytes were too few for the next delivery when the last request ended for
	 * want of them; 0 if it did not.
	 */
	public long tooFewBytes() {
		return this.tooFewBytes;
	}

	/** The next delivery, of any number of bytes. */
	public @Nullable Delivery next(int room, Duration wait) throws InterruptedException {
		return next(room, ANY_BYTES, wait);
	}

	/**
	 * The next delivery.
	 * @param room how many deliveries the caller can hold; when no request is open, one
	 * for that many is sent, none for zero
	 * @param bytes how many bytes these may have in all
	 * @param wait how long to wait for it
	 * @return the delivery, or null when none came in time
	 * @throws DurableGoneException if the durable was deleted or nobody answers for it
	 * @throws JetStreamConfigurationException if the server refuses the request for what
	 * a person must change
	 * @throws NatsUnavailableException if no server answers
	 * @throws InterruptedException if the thread is to stop
	 */
	public @Nullable Delivery next(int room, long bytes, Duration wait) throws InterruptedException {
		Subscription current = subscribed();
		if (this.remaining == 0 && room > 0) {
			request(room, bytes);
		}
		long deadline = System.nanoTime() + wait.toNanos();
		long left = wait.toNanos();
		while (left > 0) {
			Message message = receive(current, Duration.ofNanos(left));
			if (message == null) {
				checkThatRequestIsAnswered();
				return null;
			}
			this.lastHeard = System.nanoTime();
			if (isStale()) {
				nak(message); // it may have overtaken deliveries that were lost
				return null;
			}
			if (!message.isStatusMessage()) {
				return arrived(delivery(message));
			}
			if (ended(message.getStatus(), message.getHeaders())) {
				return null;
			}
			left = deadline - System.nanoTime();
		}
		return null;
	}

	/**
	 * The server ends a request without a word when its last byte is used up as when its
	 * last delivery is.
	 */
	private Delivery arrived(Delivery delivery) {
		this.remaining = Math.max(0, this.remaining - 1);
		if (this.remainingBytes != ANY_BYTES) {
			this.remainingBytes -= delivery.size();
			this.remaining = (this.remainingBytes > 0) ? this.remaining : 0;
		}
		return delivery;
	}

	private static @Nullable Message receive(Subscription subscription, Duration wait) throws InterruptedException {
		try {
			return subscription.nextMessage(wait);
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
			this.packed = new Packed(open);
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
			throw new NatsUnavailableException("NATS at '" + this.client.describe() + "' stands but says nothing.",
					null);
		}
	}

	/** Whether the request is over; a heartbeat only says that it is not. */
	private boolean ended(Status status, @Nullable Headers headers) {
		if (status.isHeartbeat() || status.isFlowControl()) {
			return false;
		}
		requireOrdinary(status);
		if (status.getMessage().contains(MESSAGE_TOO_LARGE)) {
			this.tooFewBytes = this.remainingBytes;
		}
		String pending = (headers != null) ? headers.getFirst(PENDING_MESSAGES) : null;
		// the end of an older request that was given up may come late, and ends only its
		// own part
		this.remaining = (pending != null) ? Math.max(0, this.remaining - Integer.parseInt(pending)) : 0;
		return this.remaining == 0;
	}

	/** Asking again after any other end would only be refused again, at once. */
	private void requireOrdinary(Status status) {
		int code = status.getCode();
		String text = status.getMessage();
		boolean conflict = code == Status.CONFLICT_CODE;
		if (code < Status.BAD_REQUEST_CODE || code == Status.NOT_FOUND_CODE || code == Status.BAD_JS_REQUEST_CODE
				|| (conflict && ORDINARY_CONFLICTS.stream().anyMatch(text::contains))) {
			return;
		}
		this.remaining = 0;
		if (code == Status.NO_RESPONDERS_CODE || (conflict && text.contains(Status.CONSUMER_DELETED))) {
			throw new DurableGoneException(
					"Durable '" + this.durable + "' does not answer: " + code + " " + text + ".");
		}
		if (code >= SERVER_ERRORS) {
			throw new NatsUnavailableException("Durable '" + this.durable + "' on stream '" + this.stream
					+ "' cannot answer requests now: " + code + " " + text + ".", null);
		}
		throw new JetStreamConfigurationException("Durable '" + this.durable + "' on stream '" + this.stream
				+ "' refuses requests: " + code + " " + text + ". Consider what somebody changed of the durable, or"
				+ " deleting it: it is made again from where the projector stands.");
	}

	private void nak(Message message) {
		if (!message.isStatusMessage() && this.owned.getAsBoolean()) {
			delivery(message).nak();
		}
	}

	private Delivery delivery(Message message) {
		DeliveryMetadata handOver = DeliveryMetadata.of(message.getReplyTo());
		Delivery.Position position = new Delivery.Position(this.stream, handOver.sequence(), handOver.storedAt());
		Packed reading = Objects.requireNonNull(this.packed);
		return new Delivery(reading.read(message), reading.size(message), position, handOver.number(),
				handOver.delivered(), handOver.pending(), this.client, message.getReplyTo());
	}

	/**
	 * Stops pulling. What the server had sent until it heard of that is given back at
	 * once, so that nobody waits for its ack wait; over a lost connection it comes again
	 * by itself.
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
	 * The server sends nothing more once it has answered the drain's flush; ends when the
	 * subscription, by then empty, becomes inactive.
	 */
	private void nakTheRest(Subscription draining) throws InterruptedException {
		CompletableFuture<Boolean> drained = draining.drain(SILENCE);
		while (!drained.isDone()) {
			Message message = draining.nextMessage(HEARTBEAT);
			if (message != null) {
				nak(message);
			}
		}
	}

}
