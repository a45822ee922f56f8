package dev.eventing.sdk.projector.feed.jetstream;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.event.NewerEventException;
import dev.eventing.sdk.nats.Delivery;
import dev.eventing.sdk.nats.DurablePull;
import dev.eventing.sdk.nats.DurableSpec;
import dev.eventing.sdk.nats.DurableState;
import dev.eventing.sdk.nats.Durables;
import dev.eventing.sdk.nats.JetStreamConfigurationException;
import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.nats.NatsUnavailableException;
import dev.eventing.sdk.projector.ProjectorEndpoint;
import dev.eventing.sdk.projector.control.PauseSwitch;
import dev.eventing.sdk.projector.delivery.Capacity;
import dev.eventing.sdk.projector.delivery.DeliveryDecoder;
import dev.eventing.sdk.projector.delivery.InFlight;
import dev.eventing.sdk.projector.delivery.Suspicion;
import dev.eventing.sdk.projector.delivery.WireEvent;
import dev.eventing.sdk.projector.delivery.Work;
import dev.eventing.sdk.projector.delivery.WorkReceiver;
import dev.eventing.sdk.projector.feed.Coverage;
import dev.eventing.sdk.projector.feed.Feed;
import dev.eventing.sdk.projector.feed.FeedContext;
import dev.eventing.sdk.projector.feed.InlineHistoryGuard;
import dev.eventing.sdk.projector.feed.Undelivered;
import dev.eventing.sdk.projector.transaction.ProjectorLease;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Feeds a projector from its durable. Pulls as many deliveries as there is capacity for,
 * and passes each to the lane of its key.
 */
public final class StreamFeed implements Feed {

	private static final Logger logger = LoggerFactory.getLogger(StreamFeed.class);

	private static final Duration POLL = Duration.ofMillis(100);

	/**
	 * How long to wait after a rejection, which lasts until the operator changes
	 * something.
	 */
	private static final Duration REFUSED_PAUSE = Duration.ofSeconds(10);

	private final NatsClient nats;

	private final ProjectorLease projectorLease;

	private final DeliveryDecoder decoder;

	private final Coverage coverage;

	private final InFlight inFlight;

	private final WorkReceiver lanes;

	private final StreamStart start;

	private final CountDownLatch stopping;

	private final PauseSwitch pause;

	private final GivenBack givenBack;

	private final SettledMessages messages;

	private final UnheardEvents unheard;

	private final Schedules schedules;

	private final DeliveryWatch watch;

	private final ProjectorEndpoint endpoint;

	private final InlineHistoryGuard inline;

	private volatile long pending;

	private @Nullable DurablePull pull;

	/** The last rejection of a request by the server, and its time. */
	private @Nullable JetStreamConfigurationException rejection;

	private long refusedAt;

	public StreamFeed(FeedContext context, JdbcPositions positions, Coverage coverage, InFlight inFlight,
			WorkReceiver lanes) {
		this.nats = context.services().nats();
		this.projectorLease = context.projectorLease();
		this.decoder = new DeliveryDecoder(context.endpoint(), context.services().reader());
		this.coverage = coverage;
		this.inFlight = inFlight;
		this.lanes = lanes;
		this.stopping = context.stopping();
		this.pause = context.pause();
		this.endpoint = context.endpoint();
		this.givenBack = new GivenBack(this.endpoint.id());
		Durables durables = new Durables(this.nats);
		this.messages = new SettledMessages(durables);
		this.unheard = new UnheardEvents(this.endpoint, this.messages, coverage, this.givenBack);
		this.schedules = new Schedules(durables, this.messages, this.givenBack);
		this.watch = new DeliveryWatch(this.nats, !this.endpoint.hasOneOwner(), this.givenBack);
		this.inline = new InlineHistoryGuard(context);
		this.start = this.endpoint.hasOneOwner() ? new OwnedStart(context, positions, coverage)
				: new SharedStart(context, positions, coverage);
	}

	@Override
	public String makeReady() throws InterruptedException {
		JetStreamConfigurationException refused = this.rejection;
		if (refused != null && System.nanoTime() - this.refusedAt < REFUSED_PAUSE.toNanos()) {
			throw refused;
		}
		this.rejection = null;
		if (this.pull == null) {
			this.projectorLease.requireCurrent();
			this.inline.requireNone("it reads JetStream now");
			DurableSpec ready = this.start.makeReady();
			this.messages.begin(ready);
			this.unheard.begin(ready);
			this.schedules.begin();
			this.pull = new DurablePull(this.nats, ready, this.projectorLease::isCurrent);
			this.watch.resume();
		}
		String waits = this.start.isQuiet() ? "; it waits for deliveries to another process to come back" : "";
		return "pulling from stream '" + Objects.requireNonNull(this.start.spec()).stream() + "'" + waits;
	}

	@Override
	public boolean step() throws InterruptedException {
		DurablePull current = Objects.requireNonNull(this.pull);
		this.projectorLease.requireCurrent();
		this.nats.requireConnected();
		if (current.isStale()) {
			return false;
		}
		if (this.start.isQuiet()) {
			this.stopping.await(POLL.toMillis(), TimeUnit.MILLISECONDS);
			return true;
		}
		boolean open = current.isRequestOpen();
		Capacity room = open ? Capacity.NONE : this.inFlight.awaitRoom(POLL, current.tooFewBytes());
		boolean idle = true;
		if (open || !room.isNone()) {
			Delivery delivery = next(current, room);
			if (delivery != null && !accept(delivery)) {
				return false;
			}
			idle = delivery == null;
		}
		if (this.unheard.settleHeld(idle)) {
			this.watch.goesOn();
		}
		return true;
	}

	private @Nullable Delivery next(DurablePull current, Capacity room) throws InterruptedException {
		try {
			return current.next(room.events(), room.bytes(), POLL);
		}
		catch (JetStreamConfigurationException ex) {
			this.rejection = ex;
			this.refusedAt = System.nanoTime();
			throw ex;
		}
	}

	/**
	 * Returns false if earlier deliveries did not arrive here, or the projector was
	 * paused while a request was open: then this one comes again.
	 */
	private boolean accept(Delivery delivery) {
		DeliverySettler settler = new DeliverySettler(delivery, this.projectorLease, this.start.incarnation());
		if (this.pause.isPaused() || !this.start.deliveries().isNext(delivery)) {
			settler.nak();
			return false;
		}
		this.pending = delivery.pending();
		boolean handedOver = false;
		try {
			handOver(delivery, settler);
			handedOver = true;
		}
		finally {
			if (!handedOver) {
				this.start.deliveries().miss();
			}
		}
		return true;
	}

	private void handOver(Delivery delivery, DeliverySettler settler) {
		if (this.inFlight.renew(delivery.place(), settler)) {
			return;
		}
		Work work = new Work(this.decoder.route(WireEvent.of(delivery)), settler);
		if (this.schedules.isLeft(work) || isPassedOver(work, delivery.deliveredCount() == 1)
				|| isLeftToNewerCode(work)) {
			return;
		}
		this.start.previousOwner().mark(work);
		if (delivery.deliveredCount() > 1 && work.routed().hasEvent()) {
			work.setSuspicion(Suspicion.POSSIBLE);
		}
		this.inFlight.handOver(work, this.lanes);
		this.watch.goesOn();
	}

	/**
	 * Settles an event that no lane needs, gives it back or holds it, and returns whether
	 * it did. Acks events that were handled before, and are read again only because of
	 * others.
	 */
	private boolean isPassedOver(Work work, boolean first) {
		boolean own = work.routed().handler() != null || this.decoder.listensTo(work.routed().source().subject());
		if (own && !this.coverage.isHandled(work)) {
			this.coverage.note(work);
			return false;
		}
		boolean settled = true;
		if (own) {
			work.settler().acknowledge();
		}
		else {
			settled = this.unheard.take(work, first);
		}
		if (settled) {
			this.watch.goesOn();
		}
		return true;
	}

	/**
	 * Gives back an event that newer code has written, and returns whether it did. Nodes
	 * that compete continue with other events.
	 */
	private boolean isLeftToNewerCode(Work work) {
		NewerEventException why = work.routed().newer();
		if (why == null) {
			return false;
		}
		if (this.start.endsAtNewerEvents()) {
			work.settler().nak();
			throw why;
		}
		work.settler().nak(GivenBack.forOthers());
		this.givenBack.note(String.valueOf(why.getMessage()),
				"leaves events to nodes with newer code: " + why.getMessage(), GivenBack.FOR_OTHERS);
		return true;
	}

	@Override
	public String alarm() {
		String lately = this.givenBack.lately();
		Undelivered current = this.watch.current();
		boolean known = lately.isEmpty() || (current != null && current.why().contains(lately));
		return known ? "" : "; " + lately;
	}

	@Override
	public long arrived() {
		return this.start.deliveries().arrived();
	}

	@Override
	public @Nullable Long settledTo() {
		if (this.inFlight.size() > 0) {
			return null;
		}
		try {
			return this.start.settledTo();
		}
		catch (NatsUnavailableException | JetStreamConfigurationException ex) {
			logger.debug("What is settled in the stream is not known now.", ex);
			return null;
		}
	}

	@Override
	public long pending() {
		return this.pending;
	}

	@Override
	public void save() {
		DurableState seen = this.start.save(false);
		DurableSpec spec = this.start.spec();
		if (seen != null && spec != null) {
			this.pending = seen.pending();
			boolean idle = !this.start.isQuiet() && !this.pause.isPaused() && this.inFlight.standsStillFor().isZero();
			this.watch.look(spec, seen, idle, this.inFlight.size() == 0);
		}
	}

	@Override
	public @Nullable Undelivered undelivered() {
		return this.watch.current();
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
			this.watch.rest();
			this.unheard.giveBackHeld();
			current.close();
		}
	}

}
