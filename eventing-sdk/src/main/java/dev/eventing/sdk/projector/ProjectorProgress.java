package dev.eventing.sdk.projector;

import java.time.Duration;

/**
 * How far projectors are, whichever node runs them: each call asks PostgreSQL or NATS.
 * Thread-safe; call it outside a transaction.
 */
public interface ProjectorProgress {

	/**
	 * How far a projector is behind. An event that waits for a retry is behind, and of a
	 * projector that reads the event store all that was stored after it.
	 * @throws UnknownProjectorException if the application has none of that name
	 * @throws dev.eventing.sdk.nats.NatsUnavailableException if it reads JetStream, and
	 * that does not answer
	 * @throws dev.eventing.sdk.nats.DurableGoneException if it reads JetStream and has no
	 * durable yet
	 * @throws org.springframework.dao.DataAccessException if the database cannot be asked
	 */
	ProjectorLag lag(String projector);

	/**
	 * Waits until a projector has settled the event at a position of the event store and
	 * those before it in its stream, so that the caller finds its own write in the read
	 * model. Settled is also an event that has an open dead letter, that was discarded,
	 * or that no handler takes: the read model does not show it. Give it
	 * {@code lastPosition} of an append that was committed.
	 *
	 * <p>
	 * A projector that reads the event store has then settled everything up to the
	 * position, unless an earlier event of another key waits for a retry. For one that
	 * reads JetStream and takes the event, its row decides; for an event it does not
	 * take, all relays have to be past the position.
	 * @param timeout how long to wait at most
	 * @return false if it had not when the time was over
	 * @throws UnknownProjectorException if the application has none of that name
	 * @throws InterruptedException if the thread is to stop
	 * @throws dev.eventing.sdk.nats.DurableGoneException if NATS has to be asked and the
	 * projector has no durable yet
	 * @throws dev.eventing.sdk.nats.NatsUnavailableException if NATS has to be asked and
	 * does not answer
	 * @throws org.springframework.dao.DataAccessException if the database cannot be asked
	 */
	boolean awaitPosition(String projector, long position, Duration timeout) throws InterruptedException;

}
