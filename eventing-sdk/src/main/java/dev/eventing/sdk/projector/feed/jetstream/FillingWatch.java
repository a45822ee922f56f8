package dev.eventing.sdk.projector.feed.jetstream;

import java.time.Duration;

import dev.eventing.sdk.nats.NatsClient;
import dev.eventing.sdk.projector.feed.Undelivered;
import org.jspecify.annotations.Nullable;

/**
 * Notices that the server delivers nothing of a stream that is read like a log, although
 * the stream has events that were not read. Also decides when the feed looks at the end
 * of the stream, because such a look notices it. For the thread of the intake, except
 * {@link #current}.
 */
final class FillingWatch {

	/** How often the feed looks whether it has met the end of the stream. */
	private static final Duration LOOK_EVERY = Duration.ofMillis(300);

	private final NatsClient nats;

	private final String stream;

	private final Standstill standstill = new Standstill();

	private long lookedAt;

	/**
	 * Begins to watch.
	 * @param stream the stream's name
	 */
	FillingWatch(NatsClient nats, String stream) {
		this.nats = nats;
		this.stream = stream;
	}

	/** The feed is ready to read. The next look is due at once. */
	void begin() {
		this.standstill.resume();
		this.lookedAt = System.nanoTime() - LOOK_EVERY.toNanos();
	}

	/** Nothing is asked for from now on. */
	void rest() {
		this.standstill.rest();
	}

	/** Events may be asked for again. */
	void resume(boolean hasRoom) {
		this.standstill.resume();
		if (!hasRoom) {
			goesOn();
		}
	}

	/** Records progress, or that none is to be expected. */
	void goesOn() {
		this.standstill.goesOn();
	}

	/** Whether a look is due. The next one is due a moment after that. */
	boolean isDue() {
		long now = System.nanoTime();
		if (now - this.lookedAt < LOOK_EVERY.toNanos()) {
			return false;
		}
		this.lookedAt = now;
		return true;
	}

	/**
	 * A request is open, the stream has events after this sequence, and none has arrived.
	 * @param idle whether the lanes have settled all that arrived
	 */
	void nothingCame(long behind, boolean idle) {
		if (!idle) {
			goesOn();
		}
		else if (this.standstill.isNoteworthy()) {
			String denied = this.nats.lastViolation();
			this.standstill.because("the server delivers none of the events of stream '" + this.stream
					+ "' after sequence " + behind + ((denied != null) ? "; it reported: " + denied : ""));
		}
	}

	/**
	 * Since when nothing arrives, and why; null if that is not so. For any thread.
	 */
	@Nullable Undelivered current() {
		return this.standstill.current();
	}

}
