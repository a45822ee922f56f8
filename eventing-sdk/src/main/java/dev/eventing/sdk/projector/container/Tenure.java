package dev.eventing.sdk.projector.container;

import java.time.Duration;

import dev.eventing.sdk.nats.JetStreamConfigurationException;
import dev.eventing.sdk.projection.Behind;
import dev.eventing.sdk.projector.ProjectorStatus;
import dev.eventing.sdk.worker.Stall;
import org.jspecify.annotations.Nullable;

/**
 * This node's part in one generation of a projector, from a start to its stop: it owns
 * the generation or stands by, or competes with other nodes for its events. A stopped one
 * does not start again. Calls of {@link #start} and {@link #stop} must not overlap; the
 * other methods are for any thread.
 */
interface Tenure {

	/**
	 * Runs the generation if this node may do so now. If not, it does as soon as it may.
	 * @return whether it runs now
	 * @throws JetStreamConfigurationException if the operator must change something
	 */
	boolean start() throws InterruptedException;

	/**
	 * Takes no more events, runs what the lanes hold within the time, naks the rest, and
	 * gives the generation up.
	 */
	void stop(Duration drain) throws InterruptedException;

	/** Looks soon whether something is requested. */
	void look();

	ProjectorStatus status();

	/** How far it lags, as far as this node knows. Sends no request. */
	Behind behind();

	/** The current stall, or null. Sends no request. */
	@Nullable Stall stall();

}
