package dev.eventing.sdk.projector;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import dev.eventing.sdk.event.ReadResult;
import dev.eventing.sdk.nats.Advisories;
import dev.eventing.sdk.nats.Advisories.Advisory;
import dev.eventing.sdk.nats.Advisories.StoredMessage;
import dev.eventing.sdk.nats.Delivery;
import dev.eventing.sdk.nats.DurableGoneException;
import dev.eventing.sdk.nats.DurablePull;
import dev.eventing.sdk.nats.JetStreamConfigurationException;
import dev.eventing.sdk.nats.NatsUnavailableException;
import dev.eventing.sdk.worker.SupervisedWorker;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;

/**
 * Hands events that JetStream will not deliver again, though this projector has neither
 * applied nor buried them, to their lanes, which bury them. Runs beside the intake while
 * the projector runs; what is away is waited for, and what the server refuses is said and
 * tried again.
 */
final class AdvisoryFeed {

	private static final Logger logger = LoggerFactory.getLogger(AdvisoryFeed.class);

	private static final Duration POLL = Duration.ofMillis(500);

	private static final Duration PAUSE = Duration.ofSeconds(1);

	private static final Duration LONG_PAUSE = Duration.ofSeconds(30);

	private static final int ROOM = 10;

	private final Reading reading;

	private final Advisories advisories;

	private final Reception reception;

	private final InFlight inFlight;

	private final Consumer<Work> lanes;

	private final SupervisedWorker worker;

	AdvisoryFeed(Reading reading, InFlight inFlight, Consumer<Work> lanes) {
		this.reading = reading;
		this.advisories = new Advisories(reading.services().nats());
		this.reception = new Reception(reading.endpoint(), reading.services().reader());
		this.inFlight = inFlight;
		this.lanes = lanes;
		this.worker = SupervisedWorker.daemon(name() + "-advisories", this::run);
	}

	SupervisedWorker worker() {
		return this.worker;
	}

	private void run() throws InterruptedException {
		Duration pause = PAUSE;
		try {
			do {
				pause = pullUntilSomethingIsInTheWay();
			}
			while (!this.reading.stopping().await(pause.toMillis(), TimeUnit.MILLISECONDS));
		}
		catch (OwnershipLostException ex) {
			logger.debug("Advisories of projector '{}' are read no more.", name(), ex);
		}
	}

	/** Returns how long to wait before the next try. */
	private Duration pullUntilSomethingIsInTheWay() throws InterruptedException {
		this.worker.beat();
		try {
			this.reading.tenure().requireCurrent();
			String stream = this.reading.services()
				.streams()
				.carrying(name(), this.reading.endpoint().stream(), this.reading.endpoint().filterSubjects());
			try (DurablePull pull = new DurablePull(
					this.reading.services().nats(), this.advisories.about(name(), stream,
							this.reading.endpoint().durableName(), this.reading.identity().get().toString()),
					this.reading.tenure()::isCurrent)) {
				pull(pull, stream);
			}
		}
		catch (JetStreamConfigurationException ex) {
			logger.warn("Projector '{}' does not hear of events that JetStream gives up: {}", name(), ex.getMessage());
			return LONG_PAUSE;
		}
		catch (NatsUnavailableException | DurableGoneException | DataAccessException ex) {
			logger.debug("Advisories of projector '{}' cannot be read now.", name(), ex);
		}
		return PAUSE;
	}

	private void pull(DurablePull pull, String stream) throws InterruptedException {
		while (this.reading.stopping().getCount() > 0 && !pull.isStale()) {
			this.worker.beat();
			this.reading.tenure().requireCurrent();
			Delivery delivery = pull.next(ROOM, POLL);
			if (delivery != null) {
				receive(delivery, Advisories.read(delivery), stream);
			}
		}
	}

	private void receive(Delivery delivery, @Nullable Advisory advisory, String stream) {
		if (advisory == null) {
			delivery.terminate("unreadable");
			return;
		}
		if (this.inFlight.holds(advisory.sequence())) {
			delivery.giveBack(PAUSE); // whatever becomes of it is written down soon
			return;
		}
		Optional<StoredMessage> message = this.advisories.message(stream, advisory.sequence());
		if (message.isEmpty()) {
			logger.error(
					"Projector '{}': JetStream gave up the event at {}:{} after {} deliveries, and the stream does not"
							+ " hold it any more; it is lost to this projector unless it was applied.",
					name(), stream, advisory.sequence(), advisory.deliveries());
			delivery.acknowledge();
			return;
		}
		Work work = this.reception.receive(new GivenUpOrigin(message.get(), delivery));
		if (isWrittenDown(work)) {
			delivery.acknowledge();
			return;
		}
		work.giveUp(Refusal.of(advisory));
		this.inFlight.handOver(work, this.lanes);
	}

	/** So are all events this projector terminated itself. */
	private boolean isWrittenDown(Work work) {
		return work.read() instanceof ReadResult.Readable
				&& (this.reading.services().processedEvents().isApplied(name(), work.eventKey())
						|| this.reading.services().deadLetters().contains(name(), work.eventKey()));
	}

	private String name() {
		return this.reading.endpoint().name();
	}

}
