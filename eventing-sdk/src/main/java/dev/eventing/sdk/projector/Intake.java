package dev.eventing.sdk.projector;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.nats.Delivery;
import dev.eventing.sdk.nats.DurableGoneException;
import dev.eventing.sdk.nats.DurablePull;
import dev.eventing.sdk.nats.DurableSpec;
import dev.eventing.sdk.nats.DurableState;
import dev.eventing.sdk.nats.Durables;
import dev.eventing.sdk.nats.JetStreamConfigurationException;
import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.nats.NatsUnavailableException;
import dev.eventing.sdk.nats.Streams;
import dev.eventing.sdk.projector.JdbcPositions.Saved;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;

/**
 * Feeds a projector's lanes: keeps its durable as it has to be, pulls as much as there is
 * room for, and hands each delivery to the lane of its key. Outlives every outage: it
 * tries again until it is stopped.
 *
 * <p>
 * Order needs care at two moments, because JetStream hands out new events at once and
 * those that were under way only when their ack wait ends. At a start that finds
 * unsettled deliveries, and after a lost connection that swallowed some, the durable is
 * put back to its floor and everything behind it comes again in stream order;
 * {@code processed_events} makes the repeats harmless.
 */
final class Intake implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(Intake.class);

	private static final Duration POLL = Duration.ofMillis(100);

	private static final Duration SAVE_EVERY = Duration.ofSeconds(5);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

	private final ProjectorEndpoint endpoint;

	private final NatsClient nats;

	private final Streams streams;

	private final Durables durables;

	private final Reception reception;

	private final JdbcPositions positions;

	private final JdbcAttempts attempts;

	private final InFlight inFlight;

	private final Consumer<Work> lanes;

	private final CountDownLatch stopping = new CountDownLatch(1);

	private volatile IntakeState state = IntakeState.of(ProjectorState.STARTING, "not begun");

	private final AtomicBoolean paused;

	private volatile long pending;

	private volatile @Nullable DurableSpec spec;

	private @Nullable DurablePull pull;

	private boolean begun;

	/** Up to here events were delivered to a process that did not stop in order. */
	private long suspectUpTo;

	/** The highest sequence that arrived here. */
	private long arrived;

	private @Nullable Instant streamCreated;

	private Map<EventKey, Instant> waiting = Map.of();

	private long savedAt = System.nanoTime();

	Intake(ProjectorEndpoint endpoint, ProjectorServices services, JdbcPositions positions, JdbcAttempts attempts,
			InFlight inFlight, Consumer<Work> lanes, AtomicBoolean paused) {
		this.endpoint = endpoint;
		this.nats = services.nats();
		this.streams = services.streams();
		this.durables = new Durables(services.nats());
		this.reception = new Reception(endpoint, services.reader());
		this.positions = positions;
		this.attempts = attempts;
		this.inFlight = inFlight;
		this.lanes = lanes;
		this.paused = paused;
	}

	IntakeState state() {
		return this.paused.get() ? IntakeState.of(ProjectorState.PAUSED, "paused") : this.state;
	}

	/** How many events had not been delivered when the last one was. */
	long pending() {
		return this.pending;
	}

	/** Stops feeding; {@link #run} returns soon after. */
	void stop() {
		this.stopping.countDown();
	}

	/**
	 * Makes the durable ready once before the thread runs, so that a mistake in
	 * configuration fails the start of the application. What is only away at this moment
	 * is waited for later.
	 * @throws JetStreamConfigurationException if a person must change something
	 */
	void prepare() throws InterruptedException {
		try {
			makeReady();
		}
		catch (NatsUnavailableException | DataAccessException ex) {
			away(ex);
		}
	}

	@Override
	public void run() {
		try {
			for (int failures = 0; !isStopping(); failures++) {
				Duration pause = LONGEST_PAUSE.dividedBy(1L << Math.max(0, 4 - Math.min(failures, 4)));
				if (feed()) {
					failures = 0;
				}
				if (this.stopping.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
					break;
				}
			}
		}
		catch (InterruptedException ex) {
			logger.debug("Intake of projector '{}' is interrupted.", this.endpoint.name());
		}
		finally {
			closePull();
			this.state = IntakeState.of(ProjectorState.STOPPED, "stopped");
		}
	}

	/** Feeds until something is in the way; returns whether anything was fed. */
	private boolean feed() throws InterruptedException {
		if (this.paused.get()) {
			return false;
		}
		long before = this.arrived;
		try {
			makeReady();
			pullUntilStopped();
		}
		catch (DurableGoneException ex) {
			logger.warn("Projector '{}': {} It is reconciled.", this.endpoint.name(), ex.getMessage());
			closePull();
		}
		catch (JetStreamConfigurationException ex) {
			failed(String.valueOf(ex.getMessage()));
			closePull();
		}
		catch (NatsUnavailableException | DataAccessException ex) {
			away(ex);
			closePull();
		}
		catch (RuntimeException ex) {
			logger.error("Projector '{}' starts pulling anew after an unexpected error.", this.endpoint.name(), ex);
			closePull();
		}
		return this.arrived > before;
	}

	private void failed(String problem) {
		if (this.state.state() != ProjectorState.FAILED || !this.state.detail().equals(problem)) {
			logger.error("Projector '{}' cannot go on until somebody changes something: {}", this.endpoint.name(),
					problem);
			this.state = IntakeState.of(ProjectorState.FAILED, problem);
		}
	}

	private void away(RuntimeException ex) {
		if (ex instanceof DataAccessException && !FailureClassifier.isDisturbance(ex)) {
			failed("The SDK's tables cannot be used: " + ex.getMessage());
			return;
		}
		ProjectorState waitingFor = (ex instanceof NatsUnavailableException) ? ProjectorState.WAITING_FOR_NATS
				: ProjectorState.WAITING_FOR_DATABASE;
		if (this.state.state() != waitingFor) {
			logger.warn("Projector '{}' waits: {}", this.endpoint.name(), ex.getMessage());
			this.state = IntakeState.of(waitingFor, String.valueOf(ex.getMessage()));
		}
	}

	private void makeReady() throws InterruptedException {
		if (this.pull != null) {
			return;
		}
		this.nats.requireConnected();
		this.streams.declareAll();
		DurableSpec known = this.spec;
		DurableSpec wanted = specOf(this.streams.carrying(this.endpoint.name(),
				(known != null) ? known.stream() : this.endpoint.stream(), this.endpoint.filterSubjects()));
		Saved saved = this.positions.find(wanted.stream());
		DurableState standing = awaitEndOfRequests(wanted,
				this.durables.reconcile(wanted, (saved != null) ? saved.toFloor() : null));
		if (!standing.streamCreated().equals(this.streamCreated)) {
			this.streamCreated = standing.streamCreated();
			this.arrived = 0;
			this.suspectUpTo = 0;
		}
		if (!this.begun) {
			begin(wanted, standing, saved != null && saved.cleanStop());
			this.begun = true;
		}
		else {
			fetchWhatWasLost(wanted, standing);
		}
		this.spec = wanted;
		this.pull = new DurablePull(this.nats, wanted);
		this.state = IntakeState.of(ProjectorState.RUNNING, "pulling from stream '" + wanted.stream() + "'");
	}

	/**
	 * A request of a connection that the server has not seen the end of is still
	 * answered, into the void; what is delivered to it would be missed by none of the
	 * later ones.
	 */
	private DurableState awaitEndOfRequests(DurableSpec wanted, DurableState reconciled) throws InterruptedException {
		DurableState standing = reconciled;
		long deadline = System.nanoTime() + DurablePull.EXPIRES.toNanos();
		while (isOrdered() && standing.requests() > 0 && System.nanoTime() < deadline) {
			if (this.stopping.await(POLL.toMillis(), TimeUnit.MILLISECONDS)) {
				break;
			}
			DurableState later = this.durables.find(wanted);
			standing = (later != null) ? later : standing;
		}
		return standing;
	}

	private DurableSpec specOf(String stream) {
		ProjectorOptions options = this.endpoint.options();
		return new DurableSpec(this.endpoint.name(), stream, this.endpoint.durableName(),
				this.endpoint.filterSubjects(), options.ackWait(), options.maxAckPending(),
				options.deliverPolicy() != DeliverPolicy.NEW);
	}

	/** The first look at the durable in this process: what did the last one leave? */
	private void begin(DurableSpec wanted, DurableState standing, boolean cleanStop) throws InterruptedException {
		if (isOrdered()) {
			this.waiting = this.attempts.waiting();
			this.suspectUpTo = (standing.unsettled() > 0 && !cleanStop) ? standing.delivered() : 0;
			this.arrived = standing.delivered();
			if (standing.unsettled() > 0) {
				logger.info("Projector '{}' finds {} unsettled deliveries{}; it reads on behind sequence {}.",
						this.endpoint.name(), standing.unsettled(),
						cleanStop ? "" : " of a process that did not stop in order", standing.floor());
				rewind(wanted, standing);
			}
		}
		this.positions.save(standing, false);
	}

	/**
	 * After a lost connection or durable: deliveries that never arrived come again, in
	 * order.
	 */
	private void fetchWhatWasLost(DurableSpec wanted, DurableState standing) throws InterruptedException {
		if (isOrdered() && standing.unsettled() > 0 && standing.delivered() > this.arrived) {
			logger.info("Projector '{}' missed deliveries up to sequence {}; it reads on behind sequence {}.",
					this.endpoint.name(), standing.delivered(), standing.floor());
			rewind(wanted, standing);
		}
	}

	private void rewind(DurableSpec wanted, DurableState standing) throws InterruptedException {
		if (this.durables.rewind(wanted, standing.floor())) {
			this.arrived = standing.floor();
		}
		else {
			// what is under way comes back before anything new once its ack wait is over
			this.stopping.await(wanted.ackWait().toMillis(), TimeUnit.MILLISECONDS);
		}
	}

	private boolean isOrdered() {
		return this.endpoint.options().ordering() != Ordering.NONE;
	}

	private void pullUntilStopped() throws InterruptedException {
		DurablePull current = Objects.requireNonNull(this.pull);
		while (!isStopping()) {
			this.nats.requireConnected();
			if (this.paused.get() || current.isStale()) {
				closePull();
				return;
			}
			boolean open = current.isRequestOpen();
			int room = open ? 0 : this.inFlight.awaitRoom(POLL);
			if (open || room > 0) {
				Delivery delivery = current.next(room, POLL);
				if (delivery != null) {
					accept(delivery);
				}
			}
			saveNowAndThen();
		}
	}

	private void accept(Delivery delivery) {
		this.pending = delivery.pending();
		long sequence = delivery.position().sequence();
		this.arrived = Math.max(this.arrived, sequence);
		if (this.inFlight.renew(delivery)) {
			return;
		}
		Work work = this.reception.receive(delivery);
		if (sequence <= this.suspectUpTo || delivery.deliveredCount() > 1) {
			work.markSuspect();
		}
		if (!this.waiting.isEmpty()) {
			remember(work);
		}
		this.inFlight.add(work);
		this.lanes.accept(work);
	}

	/** An event that failed before this process began keeps its time. */
	private void remember(Work work) {
		if (work.hasEvent()) {
			Instant due = this.waiting.get(work.eventKey());
			if (due != null) {
				work.markAttempted();
				work.setNotBefore(due);
			}
		}
	}

	/**
	 * Saves the position, and so also notices that NATS or PostgreSQL is away while there
	 * is nothing to do: no more is pulled until both are back.
	 */
	private void saveNowAndThen() {
		if (System.nanoTime() - this.savedAt > SAVE_EVERY.toNanos()) {
			this.savedAt = System.nanoTime();
			savePosition(false);
		}
	}

	/**
	 * Saves where the durable stands when it stops; a clean stop says that nothing
	 * unsettled was begun.
	 */
	void save(boolean cleanStop) {
		try {
			savePosition(cleanStop);
		}
		catch (NatsUnavailableException | DataAccessException ex) {
			logger.debug("Position of projector '{}' is not saved now.", this.endpoint.name(), ex);
		}
	}

	private void savePosition(boolean cleanStop) {
		DurableSpec current = this.spec;
		DurableState standing = (current != null) ? this.durables.find(current) : null;
		if (standing != null) {
			this.positions.save(standing, cleanStop);
		}
	}

	private boolean isStopping() {
		return this.stopping.getCount() == 0;
	}

	private void closePull() {
		DurablePull current = this.pull;
		if (current != null) {
			this.pull = null;
			current.close();
		}
	}

	/**
	 * What an intake is doing.
	 *
	 * @param state the state
	 * @param detail for people
	 * @param since when it began
	 */
	record IntakeState(ProjectorState state, String detail, Instant since) {

		static IntakeState of(ProjectorState state, String detail) {
			return new IntakeState(state, detail, Instant.now());
		}

	}

}
