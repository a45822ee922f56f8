package dev.eventing.sdk.nats;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.EventWriter;
import dev.eventing.sdk.event.RawEvent;
import dev.eventing.sdk.event.SubjectTemplate;
import io.nats.client.JetStream;
import io.nats.client.JetStreamApiException;
import io.nats.client.Message;
import io.nats.client.api.PublishAck;
import io.nats.client.impl.Headers;
import io.nats.client.impl.NatsMessage;

import org.springframework.core.retry.RetryException;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;

/**
 * Publishes events to JetStream as CloudEvents. The message id contains tenant and event
 * id. So the stream stores an event once that is published repeatedly within its
 * duplicate window. Outside the window, projectors still apply it once, because of
 * {@code processed_events}. Thread-safe.
 *
 * <p>
 * A publish is not part of a database transaction. If an event is published before a
 * commit that fails, it cannot be withdrawn. If it is published after a commit, a crash
 * in between may lose it.
 */
public final class EventPublisher {

	private static final Duration ACK_WAIT = Duration.ofSeconds(5);

	private static final RetryPolicy RETRIES = RetryPolicy.builder()
		.maxRetries(6)
		.delay(Duration.ofMillis(50))
		.multiplier(2)
		.jitter(Duration.ofMillis(20))
		.maxDelay(Duration.ofSeconds(1))
		.includes(NatsUnavailableException.class)
		.build();

	private final NatsClient client;

	private final Streams streams;

	private final EventWriter writer;

	private final DomainPublisher toDomain;

	private final RetryTemplate retries = new RetryTemplate(RETRIES);

	public EventPublisher(NatsClient client, Streams streams, EventWriter writer) {
		this.client = client;
		this.streams = streams;
		this.writer = writer;
		this.toDomain = new DomainPublisher(client);
	}

	/**
	 * Publishes an event and waits until the stream has stored it. Temporary failures (no
	 * responder, a time-out, a lost connection) are retried for about three seconds.
	 * @param subject the subject; <code>{tenant}</code> in it is replaced by the event's
	 * tenant
	 * @throws SubjectTemplate.InvalidSubjectException if no event can be published to the
	 * subject
	 * @throws NatsUnavailableException if JetStream did not confirm the event. It may or
	 * may not be in the stream; publishing it again is safe. A full stream or account is
	 * a {@link StreamNotTakingException}, a full subject a {@link SubjectFullException}.
	 * @throws EventRefusedException if the stream rejected it, for example because of its
	 * size
	 */
	public Published publish(String subject, Event<?> event) {
		Message message = message(subject, event);
		try {
			return this.retries.execute(() -> publish(message, event));
		}
		catch (RetryException ex) {
			if (ex.getCause() instanceof RuntimeException cause) {
				throw cause;
			}
			throw new NatsUnavailableException("Event " + event.id() + " is not confirmed.", ex.getCause());
		}
	}

	/**
	 * Publishes an event without waiting and without retries. If a publish fails, later
	 * events of the same stream may arrive without it. To keep the order, wait for each
	 * confirmation before the next publish.
	 * @return completes with the stream's confirmation, or exceptionally with what
	 * {@link #publish} throws
	 */
	public CompletableFuture<Published> publishAsync(String subject, Event<?> event) {
		Message message = message(subject, event);
		this.streams.declare(List.of(message.getSubject()));
		return published(message).orTimeout(ACK_WAIT.toMillis(), TimeUnit.MILLISECONDS).handle((confirmed, error) -> {
			if (error != null) {
				throw failure(event, message.getSubject(), error);
			}
			return confirmed;
		});
	}

	private CompletableFuture<Published> published(Message message) {
		try {
			PayloadLimit.require(this.client.connection(), message);
			return (this.client.jetStreamDomain() != null) ? this.toDomain.publishAsync(message)
					: this.client.jetStream().publishAsync(message).thenCompose(EventPublisher::confirmed);
		}
		catch (IllegalStateException | EventRefusedException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private static CompletableFuture<Published> confirmed(PublishAck ack) {
		try {
			return CompletableFuture.completedFuture(Published.of(ack));
		}
		catch (UnstoredException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private Published publish(Message message, Event<?> event) {
		this.streams.declare(List.of(message.getSubject()));
		JetStream jetStream = this.client.jetStream();
		PayloadLimit.require(this.client.connection(), message);
		try {
			return (this.client.jetStreamDomain() != null) ? this.toDomain.publish(message)
					: Published.of(jetStream.publish(message));
		}
		catch (IOException ex) {
			throw this.streams.isCarriedByNone(message.getSubject())
					? new SubjectNotTakenException(message.getSubject(), ex) : failure(event, message.getSubject(), ex);
		}
		catch (JetStreamApiException | IllegalStateException ex) {
			throw failure(event, message.getSubject(), ex);
		}
	}

	private Message message(String subject, Event<?> event) {
		RawEvent raw = this.writer.write(SubjectTemplate.of(subject).resolve(event.tenantId()), event);
		Headers headers = new Headers();
		raw.headers().toMap().forEach((name, values) -> headers.add(name, values));
		return NatsMessage.builder().subject(raw.subject()).headers(headers).data(raw.payload()).build();
	}

	private RuntimeException failure(Event<?> event, String subject, Throwable error) {
		return PublishErrors.failure("Event " + event.id() + " on subject '" + subject + "'", subject, error,
				this.client.lastViolation());
	}

}
