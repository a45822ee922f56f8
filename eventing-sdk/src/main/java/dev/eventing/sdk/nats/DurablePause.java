package dev.eventing.sdk.nats;

import java.io.IOException;
import java.time.Instant;
import java.time.ZonedDateTime;

import io.nats.client.JetStreamApiException;
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
		try {
			ConsumerInfo info = this.client.management().getConsumerInfo(spec.stream(), spec.name());
			ZonedDateTime until = info.getConsumerConfiguration().getPauseUntil();
			return (Boolean.TRUE.equals(info.getPaused()) && until != null) ? until.toInstant() : null;
		}
		catch (IOException | JetStreamApiException | IllegalStateException ex) {
			throw JetStreamErrors.translate("Durable '" + spec.name() + "' cannot be looked up", ex);
		}
	}

}
