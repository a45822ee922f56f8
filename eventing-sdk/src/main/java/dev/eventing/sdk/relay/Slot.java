package dev.eventing.sdk.relay;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.UnboundPayload;
import dev.eventing.sdk.store.StoredEvent;
import dev.eventing.sdk.store.UnreadableEventException;
import org.jspecify.annotations.Nullable;

/** An event on its way through a relay's window. Only the window changes it. */
final class Slot {

	private final StoredEvent stored;

	private final StreamKey key;

	private final boolean retried;

	State state = State.QUEUED;

	/** The next event of the same stream in the window. */
	@Nullable Slot next;

	/** Whether all events of its stream before it are done. */
	boolean first;

	/** Whether it was part of a failed batch and is published alone now. */
	boolean alone;

	/** Whether it was not confirmed at first. */
	boolean repeated;

	int attempt;

	long sentAt;

	long retryAt;

	private Slot(StoredEvent stored, boolean retried) {
		this.stored = stored;
		this.key = StreamKey.of(stored);
		this.retried = retried;
	}

	/** An event of the log. */
	static Slot of(StoredEvent stored) {
		return new Slot(stored, false);
	}

	/**
	 * An event whose row cannot be read, with its readable attributes; null if these do
	 * not form an envelope.
	 */
	static @Nullable Slot of(UnreadableEventException unreadable) {
		Event<UnboundPayload> envelope = unreadable.envelope();
		return (envelope != null)
				? new Slot(new StoredEvent(unreadable.position(), unreadable.recordedAt(), envelope), false) : null;
	}

	/** An event that was refused or held before and is retried. */
	static Slot retried(StoredEvent stored) {
		return new Slot(stored, true);
	}

	StoredEvent stored() {
		return this.stored;
	}

	Event<UnboundPayload> event() {
		return this.stored.event();
	}

	long position() {
		return this.stored.position();
	}

	/** The size of its payload. */
	int bytes() {
		return this.stored.event().payload().bytes().length;
	}

	StreamKey key() {
		return this.key;
	}

	boolean isRetried() {
		return this.retried;
	}

	/** The state of an event in the window. */
	enum State {

		/** Waits for its turn. */
		QUEUED,

		/** Was sent and is not confirmed yet. */
		IN_FLIGHT,

		/** Was not confirmed and waits to be published again. */
		DELAYED,

		/** Is confirmed, or recorded as refused or held. */
		DONE

	}

}
