package dev.eventing.sdk.nats;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.nats.client.Connection;
import io.nats.client.Dispatcher;
import io.nats.client.JetStreamApiException;
import io.nats.client.Message;
import io.nats.client.api.PublishAck;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes over one connection, and receives JetStream's answers on a separate inbox.
 * For each event, the client's own method would create five futures, a random subject and
 * a JSON tree, which is most of the cost of a publish. Thread-safe.
 */
final class Confirmations implements DeniedPublishes.Listener, AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(Confirmations.class);

	private static final int NO_RESPONDERS = 503;

	private static final Pattern STREAM = Pattern.compile("\"stream\"\\s*:\\s*\"([^\"]+)\"");

	private static final long FORGET_AFTER = TimeUnit.SECONDS.toNanos(10);

	private static final long LOOK_EVERY = 1024;

	private final Connection connection;

	/** The domain whose confirmations count; null for those of any. */
	private final @Nullable String domain;

	private final String inbox;

	private final Dispatcher dispatcher;

	private final AtomicLong numbers = new AtomicLong();

	private final Map<Long, Pending> pending = new ConcurrentHashMap<>();

	/**
	 * Subscribes to an inbox.
	 * @param domain the domain whose confirmations count, or null for those of any. A
	 * stream of another domain may carry the subject too, and answers as well.
	 * @throws IllegalStateException if the connection is closed
	 */
	Confirmations(Connection connection, @Nullable String domain) {
		this.connection = connection;
		this.domain = domain;
		this.inbox = connection.createInbox() + ".";
		this.dispatcher = connection.createDispatcher(this::answered);
		try {
			this.dispatcher.subscribe(this.inbox + "*");
		}
		catch (IllegalStateException ex) {
			close();
			throw ex;
		}
	}

	/**
	 * Publishes without waiting.
	 * @return completes exceptionally with the client's exception for an answer that is
	 * not a confirmation, or with a {@link TimeoutException} if no answer comes for a
	 * long time
	 * @throws IllegalStateException if the client cannot send
	 */
	CompletableFuture<Published> publish(Message message) {
		long number = this.numbers.incrementAndGet();
		if (number % LOOK_EVERY == 0) {
			forgetUnanswered();
		}
		Pending sent = new Pending(new CompletableFuture<>(), message.getSubject(), System.nanoTime());
		this.pending.put(number, sent);
		try {
			this.connection.publish(message.getSubject(), this.inbox + number, message.getHeaders(), message.getData());
		}
		catch (RuntimeException ex) {
			this.pending.remove(number);
			throw ex;
		}
		return sent.future();
	}

	/** Drops publishes that get no answer. */
	private void forgetUnanswered() {
		long now = System.nanoTime();
		drop((sent) -> now - sent.since() > FORGET_AFTER, () -> new TimeoutException("JetStream did not answer."));
	}

	/** Drops the publishes to this subject, which the server denies. */
	@Override
	public void denied(String subject, String words) {
		drop((sent) -> sent.subject().equals(subject), () -> new SubjectDeniedException(subject, words));
	}

	private void drop(Predicate<Pending> condition, Supplier<Exception> error) {
		this.pending.forEach((number, sent) -> {
			if (condition.test(sent) && this.pending.remove(number, sent)) {
				sent.future().completeExceptionally(error.get());
			}
		});
	}

	private void answered(Message answer) {
		if (this.domain != null && isOfAnotherDomain(answer)) {
			return;
		}
		Pending sent = this.pending
			.remove(Long.parseLong(answer.getSubject(), this.inbox.length(), answer.getSubject().length(), 10));
		if (sent == null) {
			return; // the publish was dropped
		}
		try {
			sent.future().complete(read(answer));
		}
		catch (IOException | JetStreamApiException | RuntimeException ex) {
			sent.future().completeExceptionally(ex);
		}
	}

	/** Errors do not name the domain. */
	private boolean isOfAnotherDomain(Message answer) {
		try {
			PublishAck ack = new PublishAck(answer);
			if (Objects.equals(this.domain, ack.getDomain())) {
				return false;
			}
			logger.debug("Stream '{}' of JetStream domain '{}' has stored an event for domain '{}' too.",
					ack.getStream(), ack.getDomain(), this.domain);
			return true;
		}
		catch (IOException | JetStreamApiException | RuntimeException ex) {
			return false;
		}
	}

	private static Published read(Message answer) throws IOException, JetStreamApiException {
		if (answer.isStatusMessage() && answer.getStatus().getCode() == NO_RESPONDERS) {
			throw new NobodyListensException(answer.getStatus().getMessageWithCode());
		}
		if (answer.isStatusMessage()) {
			throw new IOException(answer.getStatus().getMessageWithCode());
		}
		Published confirmation = Confirmation.read(answer.getData());
		return (confirmation != null) ? confirmation.orThrow() : readSlowly(answer);
	}

	private static Published readSlowly(Message answer) throws IOException, JetStreamApiException {
		try {
			return Published.of(new PublishAck(answer));
		}
		catch (JetStreamApiException ex) {
			Matcher stream = STREAM.matcher(new String(answer.getData(), StandardCharsets.UTF_8));
			if (stream.find()) {
				throw new StreamAnswerException(stream.group(1), ex);
			}
			throw ex;
		}
	}

	/** Receives no more answers. */
	@Override
	public void close() {
		try {
			this.connection.closeDispatcher(this.dispatcher);
		}
		catch (IllegalStateException | IllegalArgumentException ex) {
			logger.debug("The inbox went with its connection.", ex);
		}
		this.pending.clear();
	}

	/**
	 * A publish without an answer yet.
	 *
	 * @param future the future that its publisher waits for
	 * @param subject the subject it was sent to
	 * @param since when it was sent
	 */
	private record Pending(CompletableFuture<Published> future, String subject, long since) {
	}

}
