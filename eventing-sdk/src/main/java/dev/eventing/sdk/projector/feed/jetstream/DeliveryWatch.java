package dev.eventing.sdk.projector.feed.jetstream;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

import dev.eventing.sdk.nats.DurablePause;
import dev.eventing.sdk.nats.DurableSpec;
import dev.eventing.sdk.nats.DurableState;
import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.projector.feed.Undelivered;
import org.jspecify.annotations.Nullable;

/**
 * Notices that a durable delivers nothing although events wait and none is unsettled: it
 * is paused on the server, or requests do not reach it. For the thread that reads, except
 * {@link #current}.
 */
final class DeliveryWatch {

	/** Shorter than that is the way of a request. */
	private static final long NOTEWORTHY = TimeUnit.SECONDS.toNanos(4);

	private final NatsClient nats;

	private final DurablePause pause;

	private long deliveredAt = System.nanoTime();

	private volatile @Nullable Undelivered current;

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
		if (!asks || seen.pending() == 0 || seen.unsettled() > 0) {
			goesOn();
		}
		else if (System.nanoTime() - this.deliveredAt > NOTEWORTHY) {
			this.current = new Undelivered(this.deliveredAt, why(spec, seen.pending()));
		}
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
	 * Since when nothing is delivered, and why; null if that is not so. For any thread.
	 */
	@Nullable Undelivered current() {
		return this.current;
	}

}
