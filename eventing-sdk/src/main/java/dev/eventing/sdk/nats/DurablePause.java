package dev.eventing.sdk.nats;

import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.Optional;

import io.nats.client.api.ConsumerInfo;
import org.jspecify.annotations.Nullable;

/** Whether an operator has paused a durable on the server. Thread-safe. */
public final class DurablePause {

	private final NatsClient client;

	/** Asks nothing yet. */
	public DurablePause(NatsClient client) {
		this.client = client;
	}

	/**
	 * Until when the durable is paused; null if it is not paused.
	 * @throws NatsUnavailableException if JetStream does not answer
	 * @throws JetStreamConfigurationException if there is no such durable
	 */
	public @Nullable Instant until(DurableSpec spec) {
		return JetStreamErrors.answer("Durable '" + spec.name() + "' cannot be looked up", () -> {
			ConsumerInfo info = this.client.management().getConsumerInfo(spec.stream(), spec.name());
			ZonedDateTime until = info.getConsumerConfiguration().getPauseUntil();
			return Optional.ofNullable(until)
				.filter((time) -> Boolean.TRUE.equals(info.getPaused()))
				.map(ZonedDateTime::toInstant);
		}).orElse(null);
	}

}
