package dev.eventing.sdk.projector.feed.jetstream;

import java.time.Instant;

import dev.eventing.sdk.nats.DeniedAcknowledgement;
import dev.eventing.sdk.nats.DurablePause;
import dev.eventing.sdk.nats.DurableSpec;
import dev.eventing.sdk.nats.DurableState;
import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.projector.feed.Undelivered;
import org.jspecify.annotations.Nullable;

/**
 * Notices that a durable makes no progress although events wait: it is paused on the
 * server, requests do not reach it, or its unsettled deliveries are at their limit and
 * come again and again. Also notices that the server denies its acknowledgements.
 * Progress is an event that a lane gets, or that is settled; a delivery that is given
 * back is none. For the thread that reads, except {@link #current}.
 */
final class DeliveryWatch {

	private final NatsClient nats;

	private final DurablePause pause;

	private final boolean competes;

	private final GivenBack givenBack;

	private final Standstill standstill = new Standstill();

	/** The floor of the durable at the last look. */
	private long floor;

	/** The highest sequence delivered at any look since the durable was rewound. */
	private long delivered;

	/** When a look last found nothing unsettled, or no denied acknowledgement. */
	private long settledAt = System.nanoTime();

	private volatile @Nullable Undelivered unacknowledged;

	/**
	 * Begins to watch.
	 * @param competes whether other nodes have deliveries of the durable, too
	 * @param givenBack why this node gives deliveries back
	 */
	DeliveryWatch(NatsClient nats, boolean competes, GivenBack givenBack) {
		this.nats = nats;
		this.pause = new DurablePause(nats);
		this.competes = competes;
		this.givenBack = givenBack;
	}

	/** Records progress, or that none is to be expected. */
	void goesOn() {
		this.standstill.goesOn();
	}

	/** Nothing is read from now on. */
	void rest() {
		this.standstill.rest();
	}

	/**
	 * Events are read again. A short rest does not count: the feed may have to make the
	 * durable ready again and again.
	 */
	void resume() {
		this.standstill.resume();
	}

	/**
	 * Looks at the durable as it is now.
	 * @param idle whether this node reads, and no lane of it works
	 * @param asks whether an idle node asks for events, because it holds none
	 */
	void look(DurableSpec spec, DurableState seen, boolean idle, boolean asks) {
		this.unacknowledged = unacknowledged(spec, seen);
		boolean moved = hasMoved(seen);
		if (moved || !idle || (seen.pending() == 0 && seen.unsettled() == 0)) {
			goesOn();
		}
		else if (this.standstill.isNoteworthy()) {
			Instant paused = this.pause.until(spec);
			if (paused != null) {
				this.standstill.because("its durable '" + spec.name() + "' is paused on the server until " + paused);
			}
			else if (!asks || seen.pending() == 0) {
				goesOn();
			}
			else {
				this.standstill.because(why(spec, seen));
			}
		}
	}

	/**
	 * Whether anything was settled since the last look, or delivered for the first time.
	 * Without settlements, first deliveries soon end at the limit of unsettled ones. A
	 * lower floor means that the durable was rewound.
	 */
	private boolean hasMoved(DurableState seen) {
		boolean moved = seen.floor() != this.floor || seen.delivered() > this.delivered;
		this.delivered = (seen.floor() < this.floor) ? seen.delivered() : Math.max(this.delivered, seen.delivered());
		this.floor = seen.floor();
		return moved;
	}

	/**
	 * Why acknowledgements are denied, or null. An old denial does not count, because
	 * each redelivery would be denied again.
	 */
	private @Nullable Undelivered unacknowledged(DurableSpec spec, DurableState seen) {
		long now = System.nanoTime();
		DeniedAcknowledgement denied = this.nats.deniedAcknowledgement(spec);
		if (denied == null || seen.unsettled() == 0 || denied.at() - this.settledAt < 0
				|| now - denied.at() > spec.ackWait().multipliedBy(2).plus(Standstill.NOTEWORTHY).toNanos()) {
			this.settledAt = now;
			return null;
		}
		return new Undelivered(this.settledAt, "the server takes no acknowledgements of durable '" + spec.name()
				+ "', so the same events come again and again; it reported: " + denied.words());
	}

	/**
	 * Why no event is delivered. Null if that may be right: other nodes work on the
	 * deliveries, or they will be redelivered.
	 */
	private @Nullable String why(DurableSpec spec, DurableState seen) {
		String waiting = "the server delivers none of the " + seen.pending() + " events that wait";
		String behind = "the server delivers none of the " + seen.pending() + " events that wait behind "
				+ seen.unsettled() + " unsettled deliveries";
		String reasons = this.givenBack.lately();
		if (seen.unsettled() > 0 && !reasons.isEmpty()) {
			return behind + ": " + reasons;
		}
		if (seen.unsettled() < spec.maxAckPending()) {
			String denied = this.nats.lastViolation();
			return waiting + ((denied != null) ? "; it reported: " + denied : "");
		}
		boolean comeAgain = !this.standstill.isLongerThan(spec.ackWait().plus(Standstill.NOTEWORTHY));
		return (this.competes || comeAgain) ? null : behind + ", none of which is here";
	}

	/**
	 * Since when and why there is no progress, or no acknowledgement is accepted; null if
	 * all is well. For any thread.
	 */
	@Nullable Undelivered current() {
		Undelivered denied = this.standstill.isAtRest() ? null : this.unacknowledged;
		return (denied != null) ? denied : this.standstill.current();
	}

}
