package dev.eventing.sdk.relay;

import dev.eventing.sdk.jdbc.ToldCauses;
import dev.eventing.sdk.nats.NatsDisconnectedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Logs the present trouble of a relay: each state once, and each cause if the database is
 * the trouble. For the relay's thread.
 */
final class LoggedTrouble {

	private static final Logger logger = LoggerFactory.getLogger(LoggedTrouble.class);

	private final String relay;

	private final ToldCauses causes = new ToldCauses();

	/** Null while the relay is not interrupted. */
	private @Nullable RelayState state;

	LoggedTrouble(String relay) {
		this.relay = relay;
	}

	/** The relay continues. */
	void over() {
		this.state = null;
		this.causes.clear();
	}

	/** The relay was interrupted. */
	void met(RelayState now, RuntimeException cause) {
		boolean another = this.state != now;
		this.state = now;
		if (RelayReport.isOfDatabase(cause) ? this.causes.isNew(cause) : another) {
			log(now, cause);
		}
	}

	private void log(RelayState now, RuntimeException cause) {
		switch (now) {
			case REFUSED -> logger.error("{}", cause.getMessage());
			case FAILED -> {
				logger.error("Relay '{}' failed; it retries: {}", this.relay, RelayReport.why(cause));
				logger.debug("Relay '{}' failed.", this.relay, cause);
			}
			default -> logger.atLevel((cause instanceof NatsDisconnectedException) ? Level.DEBUG : Level.WARN)
				.log("Relay '{}' is {} and continues automatically: {}", this.relay, now, RelayReport.why(cause));
		}
	}

}
