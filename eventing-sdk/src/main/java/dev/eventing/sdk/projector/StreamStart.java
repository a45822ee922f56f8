package dev.eventing.sdk.projector;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.nats.Delivery;
import dev.eventing.sdk.nats.DurablePull;
import dev.eventing.sdk.nats.DurableSpec;
import dev.eventing.sdk.nats.DurableState;
import dev.eventing.sdk.nats.Durables;
import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.nats.Streams;
import dev.eventing.sdk.projector.JdbcPositions.Saved;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a projector's durable ready to be pulled from, at the start and after every
 * interruption.
 *
 * <p>
 * Order needs care at two moments, because JetStream hands out new events at once and
 * those that were under way only when their ack wait ends. At a start that finds
 * unsettled deliveries, and after a lost connection that swallowed some, the durable is
 * put back to its floor and everything behind it comes again in stream order;
 * {@code processed_events} makes the repeats harmless. For the thread of the intake.
 */
final class StreamStart {

	private static final Logger logger = LoggerFactory.getLogger(StreamStart.class);

	private static final Duration POLL = Duration.ofMillis(100);

	/** A position that has not moved is written again so often. */
	private static final Duration SAVE_UNMOVED_EVERY = Duration.ofMinutes(1);

	private final ProjectorEndpoint endpoint;

	private final NatsClient nats;

	private final Streams streams;

	private final Durables durables;

	private final Tenure tenure;

	private final FencedTransactions transactions;

	private final JdbcPositions positions;

	private final JdbcAttempts attempts;

	private final Forgotten forgotten;

	private final CountDownLatch stopping;

	private volatile @Nullable DurableSpec spec;

	private boolean begun;

	private Legacy legacy = Legacy.NONE;

	/** The highest sequence that arrived here. */
	private long arrived;

	/** The number of the next delivery, as the server counts those of the durable. */
	private long nextNumber;

	/** Whether deliveries went elsewhere. */
	private boolean missed;

	private @Nullable Instant streamCreated;

	private volatile Incarnation incarnation = new Incarnation();
	/** What was saved last, and when by {@link System#nanoTime}. */
	private @Nullable DurableState saved;

	private long savedAt;

	StreamStart(Reading reading, JdbcPositions positions) {
		this.endpoint = reading.endpoint();
		this.nats = reading.services().nats();
		this.streams = reading.services().streams();
		this.durables = new Durables(this.nats);
		this.tenure = reading.tenure();
		this.transactions = reading.transactions();
		this.positions = positions;
		this.attempts = reading.attempts();
		this.forgotten = new Forgotten(reading);
		this.stopping = reading.stopping();
	}

	/** The durable as it was made ready last, or null. */
	@Nullable DurableSpec spec() {
		return this.spec;
	}

	Legacy legacy() {
		return this.legacy;
	}

	long arrived() {
		return this.arrived;
	}

	/** The life of the stream that deliveries come from. */
	Incarnation incarnation() {
		return this.incarnation;
	}

	/**
	 * Whether this delivery follows the last one. The server numbers what it hands out;
	 * where a number is missing somebody else was given deliveries, such as a former
	 * owner that was frozen when it asked: they come again, and this one after them.
	 */
	boolean isNext(Delivery delivery) {
		if (isOrdered() && delivery.number() != this.nextNumber) {
			this.missed = true;
			return false;
		}
		this.nextNumber = delivery.number() + 1;
		this.arrived = Math.max(this.arrived, delivery.position().sequence());
		return true;
	}

	/**
	 * The last delivery was lost here; it is fetched, and what follows it, when made
	 * ready.
	 */
	void miss() {
		this.missed = true;
	}

	private DurableSpec wanted() {
		this.nats.requireConnected();
		this.streams.declareAll();
		DurableSpec known = this.spec;
		return specOf(this.endpoint, this.streams.carrying(this.endpoint.name(),
				(known != null) ? known.stream() : this.endpoint.stream(), this.endpoint.filterSubjects()));
	}

	DurableSpec makeReady() throws InterruptedException {
		DurableSpec wanted = wanted();
		Saved saved = this.positions.find(wanted.stream());
		// before there is a durable again that would take settlements of the former one
		noticeStreamMadeAnew(this.durables.streamCreated(wanted));
		DurableState standing = awaitEndOfRequests(wanted,
				this.durables.reconcile(wanted, (saved != null) ? saved.toFloor() : null));
		long floor = standing.floor();
		this.forgotten.requireNone(() -> this.durables.firstBehind(wanted, floor), "durable '" + wanted.name()
				+ "' stands behind sequence " + floor + " of stream '" + wanted.stream() + "'");
		noticeStreamMadeAnew(standing.streamCreated());
		if (!this.begun) {
			standing = begin(wanted, standing, saved != null && saved.cleanStop());
			this.begun = true;
		}
		else {
			standing = fetchWhatWasLost(wanted, standing);
		}
		this.nextNumber = standing.handedOut() + 1;
		this.missed = false;
		this.spec = wanted;
		return wanted;
	}

	private void noticeStreamMadeAnew(Instant created) {
		if (!created.equals(this.streamCreated)) {
			this.incarnation.end();
			this.incarnation = new Incarnation();
			this.streamCreated = created;
			this.arrived = 0;
			this.legacy = new Legacy(0, this.legacy.waiting());
		}
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

	/**
	 * What a projector needs of its durable, on the stream that carries its subjects now.
	 * @throws dev.eventing.sdk.nats.JetStreamConfigurationException if none does
	 */
	static DurableSpec specOf(ProjectorEndpoint endpoint, Streams streams) {
		return specOf(endpoint, streams.carrying(endpoint.name(), endpoint.stream(), endpoint.filterSubjects()));
	}

	/** What a projector needs of its durable. */
	private static DurableSpec specOf(ProjectorEndpoint endpoint, String stream) {
		ProjectorOptions options = endpoint.options();
		return new DurableSpec(endpoint.name(), stream, endpoint.durableName(), endpoint.filterSubjects(),
				options.ackWait(), options.maxAckPending(), options.deliverPolicy() != DeliverPolicy.NEW);
	}

	/** The first look at the durable in this process: what did the last one leave? */
	private DurableState begin(DurableSpec wanted, DurableState standing, boolean cleanStop)
			throws InterruptedException {
		DurableState after = standing;
		if (isOrdered()) {
			long suspectUpTo = (standing.unsettled() > 0 && !cleanStop) ? standing.delivered() : 0;
			this.legacy = Legacy.of(Math.max(suspectUpTo, this.legacy.suspectUpTo()), this.attempts.waiting());
			this.arrived = standing.delivered();
			if (standing.unsettled() > 0) {
				logger.info("Projector '{}' finds {} unsettled deliveries{}; it reads on behind sequence {}.",
						this.endpoint.name(), standing.unsettled(),
						cleanStop ? "" : " of a process that did not stop in order", standing.floor());
				after = rewind(wanted, standing);
			}
		}
		savePosition(standing, false);
		return after;
	}

	/**
	 * After a lost connection or durable: deliveries that never arrived come again, in
	 * order.
	 */
	private DurableState fetchWhatWasLost(DurableSpec wanted, DurableState standing) throws InterruptedException {
		if (isOrdered() && standing.unsettled() > 0 && (this.missed || standing.delivered() > this.arrived)) {
			logger.info("Projector '{}' missed deliveries up to sequence {}; it reads on behind sequence {}.",
					this.endpoint.name(), standing.delivered(), standing.floor());
			return rewind(wanted, standing);
		}
		return standing;
	}

	private DurableState rewind(DurableSpec wanted, DurableState standing) throws InterruptedException {
		this.tenure.requireCurrent();
		if (this.durables.rewind(wanted, standing.floor())) {
			this.arrived = standing.floor();
		}
		else {
			// what is under way comes back before anything new once its ack wait is over
			this.stopping.await(wanted.ackWait().toMillis(), TimeUnit.MILLISECONDS);
		}
		DurableState after = this.durables.find(wanted);
		return (after != null) ? after : standing;
	}

	private boolean isOrdered() {
		return this.endpoint.options().ordering() != Ordering.NONE;
	}

	private void savePosition(DurableState standing, boolean cleanStop) {
		this.transactions.run(() -> this.positions.save(standing, cleanStop));
		this.saved = standing;
		this.savedAt = System.nanoTime();
	}

	/**
	 * Whether saving would change nothing. Where nodes compete it is done all the same:
	 * no lease tells them that the database is away.
	 */
	private boolean isSaved(DurableState standing) {
		DurableState last = this.saved;
		return last != null && isOrdered() && last.floor() == standing.floor()
				&& last.streamCreated().equals(standing.streamCreated())
				&& System.nanoTime() - this.savedAt < SAVE_UNMOVED_EVERY.toNanos();
	}

	void save(boolean cleanStop) {
		DurableSpec current = this.spec;
		DurableState standing = (current != null) ? this.durables.find(current) : null;
		if (standing != null && (cleanStop || !isSaved(standing))) {
			savePosition(standing, cleanStop);
		}
	}

}
