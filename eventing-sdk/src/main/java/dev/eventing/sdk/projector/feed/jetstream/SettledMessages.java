package dev.eventing.sdk.projector.feed.jetstream;

import java.util.Objects;

import dev.eventing.sdk.nats.DurableSpec;
import dev.eventing.sdk.nats.Durables;
import org.jspecify.annotations.Nullable;

/**
 * Whether the durable's stream keeps settled messages. Asks the server once for each
 * durable that was made ready. For the thread of the intake.
 */
final class SettledMessages {

	private final Durables durables;

	private @Nullable DurableSpec spec;

	/** Null if that was not asked yet. */
	private @Nullable Boolean kept;

	/** Null if that was not asked yet. */
	private @Nullable Boolean inWorkQueue;

	SettledMessages(Durables durables) {
		this.durables = durables;
	}

	/** The durable was made ready. */
	void begin(DurableSpec ready) {
		this.spec = ready;
		this.kept = null;
		this.inWorkQueue = null;
	}

	/** The durable that was made ready. */
	DurableSpec spec() {
		return Objects.requireNonNull(this.spec);
	}

	/**
	 * Whether they can be read again.
	 * @throws dev.eventing.sdk.nats.NatsUnavailableException if JetStream does not answer
	 */
	boolean areKept() {
		Boolean known = this.kept;
		if (known == null) {
			known = this.durables.keepsWhatIsSettled(spec());
			this.kept = known;
		}
		return known;
	}

	/**
	 * Whether they are gone for all applications: the stream is a work queue.
	 * @throws dev.eventing.sdk.nats.NatsUnavailableException if JetStream does not answer
	 */
	boolean areInWorkQueue() {
		Boolean known = this.inWorkQueue;
		if (known == null) {
			known = this.durables.isInWorkQueue(spec());
			this.inWorkQueue = known;
		}
		return known;
	}

}
