package dev.eventing.sdk.projector.delivery;

import dev.eventing.sdk.event.Event;
import dev.eventing.sdk.event.ReadResult;
import dev.eventing.sdk.event.UnboundPayload;
import dev.eventing.sdk.idempotency.EventKey;
import dev.eventing.sdk.projector.HandlerMethod;
import org.jspecify.annotations.Nullable;

/**
 * An event on its way through a projector, from its arrival until it is settled. Owned by
 * one lane after the intake handed it over; not thread-safe.
 */
public final class Work {

	private final Origin origin;

	private final ReadResult read;

	private final @Nullable HandlerMethod handler;

	private final @Nullable String key;

	private @Nullable Event<?> bound;

	/** Whether a process may have died from it. */
	private Suspicion suspicion = Suspicion.NONE;

	/** Whether projector_attempts holds a row for it, to be deleted when it succeeds. */
	private boolean attempted;

	/** Whether later events of its key wait for it. */
	private boolean blocking;

	/** Why it will not be delivered again, if it came by an advisory. */
	private @Nullable Rejection givenUp;

	/** Whether it waits until {@link #notBefore}. */
	private boolean delayed;

	private long notBefore;

	public Work(Origin origin, ReadResult read, @Nullable HandlerMethod handler, @Nullable String key) {
		this.origin = origin;
		this.read = read;
		this.handler = handler;
		this.key = key;
	}

	public Origin origin() {
		return this.origin;
	}

	public Place place() {
		return this.origin.place();
	}

	public ReadResult read() {
		return this.read;
	}

	/** Who takes it, or null: nobody does. */
	public @Nullable HandlerMethod handler() {
		return this.handler;
	}

	/** What order is kept by, tenant included, or null: none is kept. */
	public @Nullable String key() {
		return this.key;
	}

	/** The event, whose envelope must be understood. */
	public Event<UnboundPayload> event() {
		if (this.read instanceof ReadResult.Readable readable) {
			return readable.event();
		}
		throw new IllegalStateException(this + " is unreadable");
	}

	/**
	 * The event with its payload as the handler takes it; bound when first asked for.
	 * @throws dev.eventing.sdk.event.PayloadBindingException if the payload is not of the
	 * handler's type
	 */
	public Event<?> bound() {
		Event<?> event = this.bound;
		if (event == null) {
			HandlerMethod taker = this.handler;
			if (taker == null) {
				throw new IllegalStateException(this + " has no handler");
			}
			Event<UnboundPayload> read = event();
			event = read.map((payload) -> payload.bind(taker.payloadType(read.type())));
			this.bound = event;
		}
		return event;
	}

	/** Whether its envelope is understood. */
	public boolean hasEvent() {
		return this.read instanceof ReadResult.Readable;
	}

	public EventKey eventKey() {
		return new EventKey(event().tenantId(), event().id());
	}

	/**
	 * Which event it is, also where it cannot be read further than that; null if its id
	 * or tenant is unknown.
	 */
	public @Nullable EventKey knownKey() {
		if (this.read instanceof ReadResult.Unreadable unreadable) {
			return (unreadable.tenantId() != null && unreadable.eventId() != null)
					? new EventKey(unreadable.tenantId(), unreadable.eventId()) : null;
		}
		return eventKey();
	}

	public Suspicion suspicion() {
		return this.suspicion;
	}

	public void setSuspicion(Suspicion suspicion) {
		this.suspicion = suspicion;
	}

	public boolean isAttempted() {
		return this.attempted;
	}

	public void markAttempted() {
		this.attempted = true;
	}

	/** Why JetStream gave it up, or null: it did not. */
	@Nullable Rejection givenUp() {
		return this.givenUp;
	}

	public void giveUp(Rejection why) {
		this.givenUp = why;
	}

	public boolean isBlocking() {
		return this.blocking;
	}

	public void markBlocking() {
		this.blocking = true;
	}

	/** Whether it may run now: it has not failed before, or has waited long enough. */
	public boolean isDue() {
		return !this.delayed || nanosLeft() <= 0;
	}

	/** What is left until it may run. */
	public long nanosLeft() {
		return this.notBefore - System.nanoTime();
	}

	/**
	 * It is tried again at this {@link System#nanoTime time}, which no change of the
	 * clock moves.
	 */
	public void setNotBefore(long nanoTime) {
		this.delayed = true;
		this.notBefore = nanoTime;
	}

	/** Which of two may run earlier. */
	public static int byTime(Work one, Work other) {
		return Long.signum(one.notBefore - other.notBefore);
	}

	/** Place, event, tenant and key, as far as they are known; nothing of the payload. */
	public String describe() {
		if (!hasEvent()) {
			return this + ", which is unreadable";
		}
		return "event " + event().id() + " (" + event().type() + ") of tenant '" + event().tenantId() + "' at " + this
				+ ", key '" + this.key + "'";
	}

	@Override
	public String toString() {
		return this.origin.place().toString();
	}

}
