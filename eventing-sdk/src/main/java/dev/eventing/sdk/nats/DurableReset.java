package dev.eventing.sdk.nats;

import java.io.IOException;

import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.ConsumerInfo;
import io.nats.client.api.DeliverPolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The server's own reset of a durable to a sequence. Thread-safe. */
final class DurableReset {

	private static final Logger logger = LoggerFactory.getLogger(DurableReset.class);

	private static final String SINCE = "2.14.0";

	private final NatsClient client;

	DurableReset(NatsClient client) {
		this.client = client;
	}

	/**
	 * The server supports a reset since 2.14, but not for durables that started with the
	 * next event, and not to a sequence before the start of a durable.
	 */
	boolean isPossible(ConsumerInfo existing, long floor) {
		ConsumerConfiguration configuration = existing.getConsumerConfiguration();
		DeliverPolicy policy = configuration.getDeliverPolicy();
		boolean starts = policy == DeliverPolicy.All
				|| (policy == DeliverPolicy.ByStartSequence && floor + 1 >= configuration.getStartSequence());
		return starts && this.client.connection().getServerInfo().isSameOrNewerThanVersion(SINCE);
	}

	/**
	 * Returns whether the server did it. While a cluster is upgraded, the durable may be
	 * on servers that do not know the request, which then is refused or not answered.
	 */
	static boolean tryTo(JetStreamManagement management, DurableSpec spec, long floor) throws JetStreamApiException {
		try {
			management.resetConsumer(spec.stream(), spec.name(), floor + 1);
			return true;
		}
		catch (JetStreamApiException ex) {
			if (JetStreamErrors.isTransient(ex)) {
				throw ex;
			}
			logger.debug("The server refuses to reset durable '{}'.", spec.name(), ex);
		}
		catch (IOException ex) {
			logger.debug("The server does not answer a reset of durable '{}'.", spec.name(), ex);
		}
		return false;
	}

}
