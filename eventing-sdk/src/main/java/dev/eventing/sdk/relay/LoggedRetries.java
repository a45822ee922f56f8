package dev.eventing.sdk.relay;

import dev.eventing.sdk.worker.NamedCauses;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs why events are published again: each cause once, until all of them are confirmed.
 * The runs of a relay share it, because the cause may outlast a run. For the relay's
 * thread.
 */
final class LoggedRetries {

	private static final Logger logger = LoggerFactory.getLogger(LoggedRetries.class);

	private final String relay;

	private final NamedCauses named = new NamedCauses();

	/** Whether the log has a cause that is not over. */
	private boolean waits;

	LoggedRetries(String relay) {
		this.relay = relay;
	}

	/** The event is published again. */
	void unconfirmed(Slot slot, Throwable cause, String reason) {
		if (this.named.isNews(cause)) {
			this.waits = true;
			logger.warn("Relay '{}': event {} at position {} is not confirmed, and is published again until it is: {}",
					this.relay, slot.event().id(), slot.position(), reason);
		}
		else {
			logger.debug("Relay '{}': event {} at position {} is still not confirmed: {}", this.relay,
					slot.event().id(), slot.position(), reason);
		}
	}

	/** An event is confirmed, and none waits to be published again. */
	void over(Slot last) {
		if (this.waits) {
			logger.info("Relay '{}' publishes again: event {} at position {} is confirmed.", this.relay,
					last.event().id(), last.position());
			forget();
		}
	}

	/** The log names each cause again, because it may be another outage. */
	void forget() {
		this.waits = false;
		this.named.clear();
	}

}
