package dev.eventing.sdk.projector;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * How far projectors are, whichever node runs them: each call asks PostgreSQL or NATS.
 * Thread-safe; call it outside a transaction.
 */
public final class ProjectorProgress {

	private static final long SHORTEST_PAUSE = 2;

	private static final long LONGEST_PAUSE = 50;

	private final ProjectorRegistry registry;

	private final Map<String, Progress> progress = new ConcurrentHashMap<>();

	/** Never opens. */
	private final CountDownLatch never = new CountDownLatch(1);

	/**
	 * Asks no server yet.
	 * @param registry the projectors of the application
	 */
	public ProjectorProgress(ProjectorRegistry registry) {
		this.registry = registry;
	}

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
	public ProjectorLag lag(String projector) {
		return of(projector).lag();
	}

	/**
	 * Waits until a projector has settled the event at a position of the event store and
	 * those before it in its stream, so that the caller finds its own write in the read
	 * model. Settled is also a dead letter, and an event no handler takes. Give it
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
	public boolean awaitPosition(String projector, long position, Duration timeout) throws InterruptedException {
		Progress.Wait wait = of(projector).waitFor(position);
		long deadline = System.nanoTime() + timeout.toNanos();
		for (long pause = SHORTEST_PAUSE; !wait.isOver(); pause = Math.min(2 * pause, LONGEST_PAUSE)) {
			long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
			if (left <= 0 || this.never.await(Math.min(pause, left), TimeUnit.MILLISECONDS)) {
				return false;
			}
		}
		return true;
	}

	private Progress of(String projector) {
		ProjectorEndpoint endpoint = this.registry.endpoint(projector);
		return this.progress.computeIfAbsent(projector, (name) -> create(endpoint));
	}

	private Progress create(ProjectorEndpoint endpoint) {
		ProjectorServices services = this.registry.services();
		JdbcTemplate jdbc = new JdbcTemplate(services.dataSource());
		return endpoint.readsEventStore() ? new StoredProgress(jdbc, services.schema(), endpoint.name())
				: new StreamProgress(endpoint, services, jdbc);
	}

}
