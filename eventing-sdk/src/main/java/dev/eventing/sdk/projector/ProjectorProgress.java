package dev.eventing.sdk.projector;

import java.time.Duration;

import dev.eventing.sdk.UnknownNameException;
import dev.eventing.sdk.WrongTransactionException;

/**
 * The progress of projectors, on whichever node they run. Each call asks PostgreSQL or
 * NATS. Thread-safe. Call it outside a transaction.
 */
public interface ProjectorProgress {

	/**
	 * Returns the lag of a projector. It includes events that wait for a retry. If the
	 * projector reads the event store, it also includes all events after such an event.
	 * @throws UnknownNameException if the application has no projector of that name
	 * @throws dev.eventing.sdk.nats.NatsUnavailableException if it reads JetStream, and
	 * NATS does not answer
	 * @throws dev.eventing.sdk.nats.DurableGoneException if it reads JetStream and has no
	 * durable yet
	 * @throws org.springframework.dao.DataAccessException if the query fails
	 */
	ProjectorLag lag(String projector);

	/**
	 * Waits until a projector has settled the event at a position of the event store, and
	 * the events before it in its stream. Then the caller finds its own write in the read
	 * model. Also settled is an event that has an open dead letter, that was discarded,
	 * or that no handler takes: the read model does not show it. Pass
	 * {@code lastPosition} of a committed append.
	 *
	 * <p>
	 * A projector that reads the event store has then settled all events up to the
	 * position, except earlier events of other keys that wait for a retry. If a projector
	 * reads JetStream and takes the event, the event's row in {@code processed_events} or
	 * {@code dead_letters} decides. If it does not take the event, all relays must have
	 * passed the position.
	 * @param timeout the longest wait
	 * @return false if the projector did not settle the event in this time
	 * @throws WrongTransactionException if the thread is in a transaction
	 * @throws UnknownNameException if the application has no projector of that name
	 * @throws InterruptedException if the thread is interrupted
	 * @throws dev.eventing.sdk.nats.DurableGoneException if this needs NATS and the
	 * projector has no durable yet
	 * @throws dev.eventing.sdk.nats.NatsUnavailableException if this needs NATS and NATS
	 * does not answer
	 * @throws org.springframework.dao.DataAccessException if a query fails
	 */
	boolean awaitPosition(String projector, long position, Duration timeout) throws InterruptedException;

}
