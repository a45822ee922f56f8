package dev.eventing.sdk.projector;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

import dev.eventing.sdk.nats.Delivery;
import dev.eventing.sdk.nats.DurablePull;
import dev.eventing.sdk.nats.JetStreamConfigurationException;
import dev.eventing.sdk.nats.NatsClient;
import org.jspecify.annotations.Nullable;

/**
 * Feeds a projector from its durable: pulls as much as there is room for, and hands each
 * delivery to the lane of its key.
 */
final class StreamFeed implements Feed {

	private static final Duration POLL = Duration.ofMillis(100);

	/** What a person has to change is not asked for more often. */
	private static final Duration REFUSED_PAUSE = Duration.ofSeconds(10);

	private final NatsClient nats;

	private final Tenure tenure;

	private final Reception reception;

	private final InFlight inFlight;

	private final Consumer<Work> lanes;

	private final StreamStart start;

	private volatile long pending;

	private @Nullable DurablePull pull;

	/** Why the server refused a request, and when. */
	private @Nullable JetStreamConfigurationException refusal;

	private long refusedAt;

	StreamFeed(Reading reading, JdbcPositions positions, InFlight inFlight, Consumer<Work> lanes) {
		this.nats = reading.services().nats();
		this.tenure = reading.tenure();
		this.reception = new Reception(reading.endpoint(), reading.services().reader());
		this.inFlight = inFlight;
		this.lanes = lanes;
		this.start = new StreamStart(reading, positions);
	}

	@Override
	public String makeReady() throws InterruptedException {
		JetStreamConfigurationException refused = this.refusal;
		if (refused != null && System.nanoTime() - this.refusedAt < REFUSED_PAUSE.toNanos()) {
			throw refused;
		}
		this.refusal = null;
		if (this.pull == null) {
			this.tenure.requireCurrent();
			this.pull = new DurablePull(this.nats, this.start.makeReady(), this.tenure::isCurrent);
		}
		return "pulling from stream '" + Objects.requireNonNull(this.start.spec()).stream() + "'";
	}

	@Override
	public boolean step() throws InterruptedException {
		DurablePull current = Objects.requireNonNull(this.pull);
		this.tenure.requireCurrent();
		this.nats.requireConnected();
		if (current.isStale()) {
			return false;
		}
		boolean open = current.isRequestOpen();
		Room room = open ? Room.NONE : this.inFlight.awaitRoom(POLL, current.tooFewBytes());
		if (open || !room.isNone()) {
			Delivery delivery = next(current, room);
			return delivery == null || accept(delivery);
		}
		return true;
	}

	private @Nullable Delivery next(DurablePull current, Room room) throws InterruptedException {
		try {
			return current.next(room.events(), room.bytes(), POLL);
		}
		catch (JetStreamConfigurationException ex) {
			this.refusal = ex;
			this.refusedAt = System.nanoTime();
			throw ex;
		}
	}

	/** Returns false if deliveries before this one went elsewhere. */
	private boolean accept(Delivery delivery) {
		DeliveryOrigin origin = new DeliveryOrigin(delivery, this.tenure, this.start.incarnation());
		if (!this.start.isNext(delivery)) {
			origin.giveBack();
			return false;
		}
		this.pending = delivery.pending();
		boolean handedOver = false;
		try {
			handOver(delivery, origin);
			handedOver = true;
		}
		finally {
			if (!handedOver) {
				this.start.miss();
			}
		}
		return true;
	}

	private void handOver(Delivery delivery, DeliveryOrigin origin) {
		if (this.inFlight.renew(origin)) {
			return;
		}
		Work work = this.reception.receive(origin);
		this.start.legacy().mark(work);
		if (delivery.deliveredCount() > 1 && work.hasEvent()) {
			work.setSuspicion(Suspicion.POSSIBLE);
		}
		this.inFlight.add(work);
		this.lanes.accept(work);
	}

	@Override
	public long arrived() {
		return this.start.arrived();
	}

	@Override
	public long pending() {
		return this.pending;
	}

	@Override
	public void save() {
		this.start.save(false);
	}

	@Override
	public void saveAtStop(boolean cleanStop) {
		this.start.save(cleanStop);
	}

	@Override
	public void close() {
		DurablePull current = this.pull;
		if (current != null) {
			this.pull = null;
			current.close();
		}
	}

}
