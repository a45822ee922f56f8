package dev.eventing.sdk.projector.feed.jetstream;

import java.time.Instant;

import dev.eventing.sdk.nats.DurableState;
import org.jspecify.annotations.Nullable;

/**
 * The stream as this node knows it. It may be deleted and created again, or lose its end:
 * then its sequences belong to other events. For the thread of the intake; the
 * incarnation is for any.
 */
final class KnownStream {

	private final DeliverySequence deliveries;

	private @Nullable Instant created;

	private volatile Incarnation incarnation = new Incarnation();

	KnownStream(DeliverySequence deliveries) {
		this.deliveries = deliveries;
	}

	/** When it was created, or null. */
	@Nullable Instant created() {
		return this.created;
	}

	/** The incarnation of the stream that deliveries come from. */
	Incarnation incarnation() {
		return this.incarnation;
	}

	/** Whether the durable reads this stream. */
	boolean isReadBy(DurableState standing) {
		return standing.streamCreated().equals(this.created);
	}

	/** Follows the stream that was created then. Returns whether it is another one. */
	boolean follow(Instant created) {
		boolean another = !created.equals(this.created);
		if (another) {
			this.created = created;
			this.deliveries.forgetLatest();
			begin();
		}
		return another;
	}

	/** Its sequences belong to other events from now on. */
	void begin() {
		this.incarnation.end();
		this.incarnation = new Incarnation();
		this.deliveries.restartAfter(0);
	}

}
