package dev.eventing.sdk.projector.feed.jetstream;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.UnavailableException;
import dev.eventing.sdk.event.ProjectorId;
import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.nats.Advisories;
import dev.eventing.sdk.nats.Advisories.Advisory;
import dev.eventing.sdk.nats.Advisories.StoredMessage;
import dev.eventing.sdk.nats.Delivery;
import dev.eventing.sdk.nats.DurableGoneException;
import dev.eventing.sdk.nats.DurablePull;
import dev.eventing.sdk.nats.DurableSpec;
import dev.eventing.sdk.nats.DurableState;
import dev.eventing.sdk.nats.Durables;
import dev.eventing.sdk.nats.JetStreamConfigurationException;
import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.nats.NatsUnavailableException;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.delivery.DeliveryDecoder;
import dev.eventing.sdk.projector.delivery.InFlight;
import dev.eventing.sdk.projector.delivery.Rejection;
import dev.eventing.sdk.projector.delivery.SourceEvent;
import dev.eventing.sdk.projector.delivery.WireEvent;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.delivery.WorkReceiver;
import dev.eventing.sdk.projector.failure.OwnershipLostException;
import dev.eventing.sdk.projector.feed.FeedContext;
import dev.eventing.sdk.projector.feed.Undelivered;
import dev.eventing.sdk.worker.SupervisedWorker;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;

/**
 * Passes events that JetStream will not deliver again to their lanes, which make dead
 * letters of them. Leaves out events that this projector has applied, or that have a
 * letter. Runs beside the intake while the projector runs. Waits while NATS or the
 * database is unreachable. Logs and shows what the server rejects or does not deliver,
 * and tries again.
 */
public final class AdvisoryFeed {

	private static final Logger logger = LoggerFactory.getLogger(AdvisoryFeed.class);

	private static final Duration POLL = Duration.ofMillis(500);

	private static final Duration PAUSE = Duration.ofSeconds(1);

	private static final Duration LONG_PAUSE = Duration.ofSeconds(30);

	/**
	 * Shorter than {@link Standstill#NOTEWORTHY}, so that two looks in a row see a
	 * standstill before it counts.
	 */
	private static final Duration LOOK_EVERY = Duration.ofSeconds(3);

	private static final int ROOM = 10;

	private final FeedContext context;

	private final NatsClient nats;

	private final Advisories advisories;

	private final Durables durables;

	private final DeliveryDecoder decoder;

	private final InFlight inFlight;

	private final WorkReceiver lanes;

	private final DeliveryWatch watch;

	private final AdvisoryTrouble trouble;

	private final SupervisedWorker worker;

	/**
	 * Reads nothing yet.
	 * @param lanes takes the events
	 */
	public AdvisoryFeed(FeedContext context, InFlight inFlight, WorkReceiver lanes) {
		this.context = context;
		this.nats = context.services().nats();
		this.advisories = new Advisories(this.nats);
		this.durables = new Durables(this.nats);
		this.decoder = new DeliveryDecoder(context.endpoint(), context.services().reader());
		this.inFlight = inFlight;
		this.lanes = lanes;
		this.watch = new DeliveryWatch(this.nats, !context.endpoint().hasOneOwner(), new GivenBack(id()));
		this.trouble = new AdvisoryTrouble(id());
		this.worker = SupervisedWorker.daemon(id().thread("advisories"), this::run);
	}

	public SupervisedWorker worker() {
		return this.worker;
	}

	/**
	 * What operators must know, as an addition to the state of the projector; or an empty
	 * text. For any thread.
	 */
	public String alarm() {
		return this.trouble.alarm();
	}

	private void run() throws InterruptedException {
		try {
			boolean stops = false;
			while (!stops) {
				Duration pause = pullUntilFailure();
				this.worker.beat();
				stops = this.worker.rest(() -> this.context.stopping().await(pause.toMillis(), TimeUnit.MILLISECONDS));
			}
		}
		catch (OwnershipLostException ex) {
			logger.debug("Advisories of projector '{}' are read no more.", name(), ex);
		}
	}

	/** Pulls until something fails. Returns how long to wait before the next try. */
	private Duration pullUntilFailure() throws InterruptedException {
		try {
			this.context.projectorLease().requireCurrent();
			ProjectorEndpoint endpoint = this.context.endpoint();
			String stream = this.context.services()
				.streams()
				.carrying(endpoint.id(), endpoint.stream(), endpoint.filterSubjects());
			DurableSpec durable = this.advisories.about(endpoint.id(), stream, endpoint.durableName(),
					this.context.identity().get().toString());
			try (DurablePull pull = new DurablePull(this.nats, durable, this.context.projectorLease()::isCurrent)) {
				this.watch.resume();
				pull(pull, durable, stream);
			}
			finally {
				this.watch.rest();
			}
		}
		catch (JetStreamConfigurationException ex) {
			this.trouble.lasts(String.valueOf(ex.getMessage()));
			return LONG_PAUSE;
		}
		catch (UnavailableException | DataAccessException ex) {
			failed(ex);
		}
		return PAUSE;
	}

	private void failed(RuntimeException failure) {
		logger.debug("Advisories of projector '{}' cannot be read now.", name(), failure);
		if (isUnanswered(failure)) {
			this.trouble.failed(String.valueOf(failure.getMessage()));
		}
		else {
			this.trouble.failsNoMore();
		}
	}

	/**
	 * Not for a lost connection or a database that is away, because the projector shows
	 * these.
	 */
	private boolean isUnanswered(RuntimeException failure) {
		return (failure instanceof DurableGoneException || failure instanceof NatsUnavailableException)
				&& this.nats.isConnected();
	}

	private void pull(DurablePull pull, DurableSpec durable, String stream) throws InterruptedException {
		long lookedAt = System.nanoTime();
		while (this.context.stopping().getCount() > 0 && !pull.isStale()) {
			this.context.projectorLease().requireCurrent();
			Delivery delivery = pull.next(ROOM, POLL);
			if (delivery != null) {
				receive(delivery, Advisories.read(delivery), stream);
				this.watch.goesOn();
			}
			if (pull.isAnswered()) {
				this.trouble.failsNoMore();
			}
			if (pull.isAnswered() && System.nanoTime() - lookedAt > LOOK_EVERY.toNanos()) {
				lookedAt = System.nanoTime();
				look(durable);
			}
			this.worker.beat();
		}
	}

	/**
	 * Looks whether the server delivers the advisories that wait. It answers requests of
	 * this pull.
	 */
	private void look(DurableSpec durable) {
		DurableState seen = this.durables.find(durable);
		if (seen != null) {
			boolean asks = this.inFlight.size() == 0 || seen.unsettled() < durable.maxAckPending();
			this.watch.look(durable, seen, true, asks);
		}
		Undelivered undelivered = this.watch.current();
		if (undelivered == null) {
			this.trouble.isOver();
		}
		else {
			this.trouble.lasts(undelivered.why());
		}
	}

	private void receive(Delivery delivery, @Nullable Advisory advisory, String stream) {
		if (advisory == null) {
			delivery.term("unreadable");
			return;
		}
		if (this.advisories.isOfAnotherDomain(advisory)) {
			delivery.acknowledge();
			return;
		}
		if (this.inFlight.holds(advisory.sequence())) {
			delivery.nak(PAUSE); // the lane that holds it decides about it soon
			return;
		}
		Optional<StoredMessage> message = this.advisories.message(stream, advisory.sequence());
		if (message.isEmpty()) {
			logger.error(
					"Projector '{}': JetStream gave up the event at {}:{} after {} deliveries, and the stream does not"
							+ " contain it any more. It is lost to this projector unless it was applied.",
					name(), stream, advisory.sequence(), advisory.deliveries());
			delivery.acknowledge();
			return;
		}
		Work work = new Work(this.decoder.route(eventOf(message.get())), new AdvisorySettler(delivery));
		if (isWrittenDown(work, delivery.place().storedAt())) {
			delivery.acknowledge();
			return;
		}
		work.giveUp(Rejection.of(advisory));
		this.inFlight.handOver(work, this.lanes);
	}

	private static SourceEvent eventOf(StoredMessage message) {
		return WireEvent.of(message.place(), message.raw(), false);
	}

	/**
	 * Whether the event is applied, or has a letter that is open or was open when
	 * JetStream gave the event up. This includes all events that this projector
	 * terminated. A letter that was closed before that does not count, because the event
	 * may have been delivered again since.
	 */
	private boolean isWrittenDown(Work work, Instant givenUpAt) {
		EventKey event = work.routed().ledgerKey();
		return event != null && (this.context.services().processedEvents().isApplied(id(), event)
				|| this.context.services().deadLetters().hadOpen(id(), event, givenUpAt));
	}

	private ProjectorId id() {
		return this.context.endpoint().id();
	}

	private String name() {
		return this.context.endpoint().name();
	}

}
