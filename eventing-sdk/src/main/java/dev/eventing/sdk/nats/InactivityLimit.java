package dev.eventing.sdk.nats;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.nats.client.api.ConsumerInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of durables that the server deletes when nobody reads them, because their stream
 * limits the inactivity of its consumers. No update of a durable changes that.
 * Thread-safe.
 */
final class InactivityLimit {

	private static final Logger logger = LoggerFactory.getLogger(InactivityLimit.class);

	/** Those of which the log has said it. */
	private final Set<String> told = ConcurrentHashMap.newKeySet();

	/** Logs it once for each durable. */
	void tell(DurableSpec spec, ConsumerInfo updated) {
		Duration limit = updated.getConsumerConfiguration().getInactiveThreshold();
		if (limit != null && !limit.isZero() && this.told.add(spec.stream() + '.' + spec.name())) {
			logger.warn(
					"Durable '{}' on stream '{}' is deleted by the server once nobody reads it for {}: the stream"
							+ " demands that. With interest retention its events are lost then. Consider removing"
							+ " inactive_threshold from the consumer_limits of the stream.",
					spec.name(), spec.stream(), limit);
		}
	}

}
