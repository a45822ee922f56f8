package dev.eventing.sdk.projector.source;

import java.util.Optional;
import java.util.function.Consumer;

import dev.eventing.sdk.projector.delivery.InFlight;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.feed.Feed;
import dev.eventing.sdk.projector.feed.FeedContext;
import dev.eventing.sdk.projector.feed.store.Checkpoint;
import dev.eventing.sdk.projector.transaction.FencedTransactions;
import dev.eventing.sdk.worker.SupervisedWorker;
import org.jspecify.annotations.Nullable;

/** Where a projector reads its events from. Sends no request by itself. Thread-safe. */
public interface EventSource {

	/**
	 * Finds configuration errors of the source. Call it also while another node runs the
	 * projector.
	 * @throws dev.eventing.sdk.nats.JetStreamConfigurationException if the operator must
	 * change something
	 * @throws dev.eventing.sdk.nats.NatsUnavailableException if JetStream does not answer
	 */
	void check();

	/**
	 * Whether a server waits for each delivery to be settled, and for signals that the
	 * work on it goes on.
	 */
	boolean awaitsSignals();

	/**
	 * Creates the place of the projector in what it reads like a log. Null if the server
	 * keeps its place.
	 */
	@Nullable Checkpoint checkpoint(FencedTransactions transactions);

	/** Creates what reads the events and passes them on. */
	Feed feed(FeedParts parts);

	/**
	 * Creates what reads which events the server gave up. Null if it gives up none, or
	 * that is switched off.
	 * @param lanes takes the events
	 */
	@Nullable SupervisedWorker advisories(FeedContext context, InFlight inFlight, Consumer<Work> lanes);

	/** Creates what tells how far the projector is, on whichever node it runs. */
	Progress progress();

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

}
