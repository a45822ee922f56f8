package dev.eventing.sdk.projector.source;

import java.util.List;
import java.util.Optional;

import dev.eventing.sdk.projector.ProjectorEndpoint;

/**
 * Where a projector reads its events from, also as it is asked from elsewhere. Sends no
 * request by itself. Thread-safe.
 */
public interface EventSource extends RunSource {

	/**
	 * Finds configuration errors of the source. Call it also while another node runs the
	 * projector.
	 * @throws dev.eventing.sdk.nats.JetStreamConfigurationException if the operator must
	 * change something
	 * @throws dev.eventing.sdk.nats.NatsUnavailableException if JetStream does not answer
	 */
	void check();

	/**
	 * Creates what tells how far the projector is, on whichever node it runs.
	 * @param versions the projector as this node has it; which of them feeds it is known
	 * to its owner only
	 */
	Progress progress(List<ProjectorEndpoint> versions);

	/**
	 * Returns which rows no delivery needs any more. Empty if that is not known: the
	 * projector has never run, its durable is missing, or its durable or stream does not
	 * match the saved state. The bound is a time, because rows do not contain the
	 * positions of their events. An event that can still be delivered is after the saved
	 * place. So it was stored no earlier than the first event after it, and was not
	 * applied before that time.
	 * @throws dev.eventing.sdk.nats.NatsUnavailableException if JetStream does not answer
	 * @throws dev.eventing.sdk.nats.JetStreamConfigurationException if no stream carries
	 * its subjects
	 * @throws org.springframework.dao.DataAccessException if a query fails
	 */
	Optional<PruneBound> pruneBound();

	/**
	 * Whether something under way looks up in old rows what was applied, so that none may
	 * be deleted now.
	 * @throws org.springframework.dao.DataAccessException if a query fails
	 */
	default boolean needsOldRows() {
		return false;
	}

}
