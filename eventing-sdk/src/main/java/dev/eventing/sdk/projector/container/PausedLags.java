package dev.eventing.sdk.projector.container;

import java.util.function.BooleanSupplier;

import dev.eventing.sdk.EventingException;
import dev.eventing.sdk.nats.NatsUnavailableException;
import dev.eventing.sdk.projection.Behind;
import dev.eventing.sdk.projector.ProjectorLag;
import dev.eventing.sdk.projector.ProjectorProgress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;

/**
 * How far paused projectors that read JetStream lag. No delivery arrives that would show
 * it, so NATS is asked. For one report of all projectors of a node: if NATS does not
 * answer once, it is not asked again, so that the report is not late.
 */
final class PausedLags {

	private static final Logger logger = LoggerFactory.getLogger(PausedLags.class);

	private final ProjectorProgress progress;

	private boolean silent;

	/**
	 * Asks nothing yet.
	 * @param connected whether there is a connection to NATS
	 */
	PausedLags(ProjectorProgress progress, BooleanSupplier connected) {
		this.progress = progress;
		this.silent = !connected.getAsBoolean();
	}

	/** How far the projector lags, as far as it is known now. */
	Behind of(String projector) {
		if (this.silent) {
			return Behind.UNKNOWN;
		}
		try {
			ProjectorLag lag = this.progress.lag(projector);
			return new Behind(lag.events(), lag.time());
		}
		catch (EventingException | DataAccessException ex) {
			logger.debug("Projector '{}': its lag is not known now.", projector, ex);
			this.silent = ex instanceof NatsUnavailableException;
			return Behind.UNKNOWN;
		}
	}

}
