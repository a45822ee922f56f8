package dev.eventing.sdk.projector.feed.jetstream;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.nats.DeniedAcknowledgement;
import dev.eventing.sdk.nats.DurablePause;
import dev.eventing.sdk.nats.DurableSpec;
import dev.eventing.sdk.nats.DurableState;
import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.projector.feed.Undelivered;
import org.jspecify.annotations.Nullable;

/**
 * Notices that a durable delivers nothing although events wait and none is unsettled: it
 * is paused on the server, or requests do not reach it. And that the server denies its
 * acknowledgements, so that the same events come again and again. For the thread that
 * reads, except {@link #current}.
 */
final class DeliveryWatch {

	/** Shorter than that is the way of a request. */
	private static final long NOTEWORTHY = TimeUnit.SECONDS.toNanos(4);

	private final NatsClient nats;

	private final DurablePause pause;

	private long deliveredAt = System.nanoTime();

	private volatile @Nullable Undelivered current;

	/** When nothing was unsettled, or no acknowledgement was denied. */
	private long settledAt = System.nanoTime();

	private volatile @Nullable Undelivered unacknowledged;

	DeliveryWatch(NatsClient nats) {
		this.nats = nats;
		this.pause = new DurablePause(nats);
	}

	/** Records that an event was delivered, or none is to be. */
	void goesOn() {
		this.deliveredAt = System.nanoTime();
		if (this.current != null) {
			this.current = null;
		}
	}

	/**
	 * Looks at the durable as it is now.
	 * @param asks whether this node asks for events
	 */
	void look(DurableSpec spec, DurableState seen, boolean asks) {
		this.unacknowledged = unacknowledged(spec, seen);
		if (!asks || seen.pending() == 0 || seen.unsettled() > 0) {
			goesOn();
		}
		else if (System.nanoTime() - this.deliveredAt > NOTEWORTHY) {
			this.current = new Undelivered(this.deliveredAt, why(spec, seen.pending()));
		}
	}

	/** Each event that comes again has its acknowledgement denied again. */
	private @Nullable Undelivered unacknowledged(DurableSpec spec, DurableState seen) {
		long now = System.nanoTime();
		DeniedAcknowledgement denied = this.nats.deniedAcknowledgement(spec);
		if (denied == null || seen.unsettled() == 0 || denied.at() - this.settledAt < 0
				|| now - denied.at() > 2 * spec.ackWait().toNanos() + NOTEWORTHY) {
			this.settledAt = now;
			return null;
		}
		return new Undelivered(this.settledAt, "the server takes no acknowledgements of durable '" + spec.name()
				+ "', so the same events come again and again; it reported: " + denied.words());
	}

	private String why(DurableSpec spec, long pending) {
		Instant paused = this.pause.until(spec);
		if (paused != null) {
			return "its durable '" + spec.name() + "' is paused on the server until " + paused;
		}
		String denied = this.nats.lastViolation();
		return "the server delivers none of the " + pending + " events that wait"
				+ ((denied != null) ? "; it reported: " + denied : "");
	}

	/**
	 * Since when nothing is delivered, or no acknowledgement is taken, and why; null if
	 * that is not so. For any thread.
	 */
	@Nullable Undelivered current() {
		Undelivered denied = this.unacknowledged;
		return (denied != null) ? denied : this.current;
	}

}
